// What %s prints need not be a literal in the call: literals that come through functions, variables and structures, and
// characters in memory of any address space.
// RUN: kernel=k global=1
// ARG: buffer:int=1,0
// ARG: buffer:char=65,66,67,68,69,70,71,72,0
// PRINTS: through a function 1
// PRINTS: through two 2
// PRINTS: chosen one, other
// PRINTS: 0 second
// PRINTS: 1 first
// PRINTS: [abcdefghi] [abc] [   abcdefghi] [fghi        ] [] [(null)]
// PRINTS: ABCDEFGH 5 FGH
// PRINTS: local: x%
// PRINTS: table: b, nothing after it
// PRINTS: format of 3, literal, AB
// PRINTS: C, a literal of 4 and ABCDEFGH
struct Named {
    int number;
    constant char *name;
};

constant char *constant table[3] = {"a", "b", "c"};

void inner(constant char *name, int x)
{
    printf("%s %d\n", name, x);
}

void outer(constant char *name, int x)
{
    inner(name, x + 1);
}

__attribute__((noinline)) void with_format(constant char *format, int x, constant char *text, global char *other)
{
    printf(format, x, text, other);
}

kernel void k(global int *p, global char *text)
{
    inner("through a function", p[0]);
    outer("through two", p[0]);
    constant char *chosen = p[0] ? "one" : "two";
    printf("chosen %s, %s\n", chosen, p[1] ? "this" : "other");
    struct Named names[2] = {{1, "first"}, {2, "second"}};
    for (int i = 0; i < 2; i++)
        printf("%d %s\n", i, names[(i + p[0]) & 1].name);
    char letters[10];
    for (int i = 0; i < 9; i++)
        letters[i] = (char)('a' + i);
    letters[9] = 0;
    printf("[%s] [%.3s] [%12s] [%-12s] [%s] [%s]\n", letters, letters, letters, letters + 5, letters + 9,
           p[0] ? (global char *)0 : text);
    printf("%s %d %s\n", text, 5, text + 5);
    local char shared[2];
    shared[0] = 'x';
    shared[1] = 0;
    printf("local: %s%%\n", shared);
    printf("table: %s, nothing after it\n", table[p[0]]);
    text[2] = 0;
    with_format("format of %d, %s, %s\n", 3, "literal", text);
    text[2] = 'C';
    printf("%c, %s of %d and %s\n", text[2], "a literal", 4, text);
}
// SKIP sanitized: lavapipe takes minutes to compile it with all checks
