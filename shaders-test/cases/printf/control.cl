// Calls in functions, loops and branches, of many work-items; constants that are known are formats and strings too.
// RUN: kernel=loops global=1
// ARG: int=3
// RUN: kernel=many global=8 local=4
// ARG: float2=1,2
// ARG: int=2
// PRINTS: loop 0
// PRINTS: called with 0 and even
// PRINTS: loop 1
// PRINTS: called with 1 and odd
// PRINTS: loop 2
// PRINTS: called with 2 and even
// PRINTS: format in a variable: name, ray
// PRINTS: result 0
// PRINTS unordered: item 0 of group 0: 1.00 2.00 2
// PRINTS unordered: item 1 of group 0: 1.00 2.00 2
// PRINTS unordered: item 2 of group 0: 1.00 2.00 2
// PRINTS unordered: item 3 of group 0: 1.00 2.00 2
// PRINTS unordered: item 4 of group 1: 1.00 2.00 2
// PRINTS unordered: item 5 of group 1: 1.00 2.00 2
// PRINTS unordered: item 6 of group 1: 1.00 2.00 2
// PRINTS unordered: item 7 of group 1: 1.00 2.00 2
// PRINTS unordered: only the last

constant char format[] = "format in a variable: %s, %s\n";
constant char *constant name = "name";
constant char array[] = "array";

void called(int n)
{
    if (n % 2 == 0)
        printf("called with %d and even\n", n);
    else
        printf("called with %d and odd\n", n);
}

kernel void loops(int count)
{
    for (int i = 0; i < count; i++) {
        printf("loop %d\n", i);
        called(i);
    }
    int result = printf(format, name, array + 2);
    printf("result %d\n", result);
}

kernel void many(float2 p, int count)
{
    size_t id = get_global_id(0);
    printf("item %d of group %d: %.2f %.2f %d\n", (int)id, (int)get_group_id(0), p.x, p.y, count);
    if (id == get_global_size(0) - 1)
        printf("only the last\n");
}
