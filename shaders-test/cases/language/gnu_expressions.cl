// RUN: kernel=k global=1
// ARG: buffer:int=0,5,-1,2
// ARG: buffer:bytes=96
// EXPECT 1: int=5,1,7,2,6,10,1,2,3,4,4,14,3,9,1,0,8,6,11,4,20,3,40,0

#define MAX(a, b) ({ __typeof__(a) first_ = (a); __typeof__(b) second_ = (b); first_ > second_ ? first_ : second_; })
#define KIND(x) _Generic((x), int: 1, float: 2, float4: 3, default: 4)

int next(global int *in, int *calls) { return in[(*calls)++]; }

int sum_to(int n) {
    return ({
        int i = 0, sum = 0;
    again:
        if (i >= n) goto done;
        sum += ++i;
        goto again;
    done:
        sum;
    });
}

kernel void k(global int *in, global int *out) {
    int calls = 0, at = 0;
    // The operand before ?: is evaluated once.
    out[at++] = next(in, &calls) ?: next(in, &calls) ?: 100; // 0, then 5
    calls = 1;
    out[at++] = (next(in, &calls) ?: calls++) == 5;
    out[at++] = calls + 5;
    global int *p = (global int *)0 ?: in + 3;
    out[at++] = *p;
    out[at++] = sum_to(3);
    out[at++] = sum_to(in[1] - 1);
    out[at++] = KIND(in[0]);
    out[at++] = KIND(1.0f);
    out[at++] = KIND((float4)(1));
    out[at++] = KIND(in);
    int least = in[2], two = in[3];
    __auto_type four = MAX(least, MAX(two, 4));
    out[at++] = four;
    out[at++] = __builtin_choose_expr(sizeof(four) == 4, 14, in);
    out[at++] = __builtin_types_compatible_p(__typeof__(four), int) + 2 * __builtin_types_compatible_p(int, const int);
    int table[10] = {[2 ... 5] = 9, [7 ... 8] = 1};
    out[at++] = table[in[1]];
    out[at++] = table[in[1] + 2];
    out[at++] = table[in[1] + 1];
    struct { int x, y; } named = {y: 8, x: 1};
    out[at++] = named.y;
    int counted = 0;
    for (int i = 0; i < 10; i++) {
        switch (i) {
        case 1 ... 3:
        case 6 ... 8: counted++;
        }
    }
    out[at++] = counted;
    // Jumps in both a function's body and in a statement expression of it.
    int i = 0;
loop:
    i += ({ int j = i; inner: if (j % 4 != 3) { j++; goto inner; } j - i + 1; });
    if (i < 11) goto loop;
    out[at++] = i - 1;
    struct tail { int count; int data[]; };
    out[at++] = sizeof(struct tail);
    struct { char c; int v[4]; } s;
    out[at++] = __builtin_offsetof(__typeof__(s), v[in[3] + 2]);
    int f(int);
    out[at++] = f(2);
    out[at++] = ({ int x = 4; if (in[1] == 5) goto by_ten; x = 0; by_ten: x * 10; });
}

int f(int x) { return x + 1; }
