// RUN: kernel=k global=1
// ARG: buffer:bytes=64
// ARG: buffer:bytes=64
// EXPECT 0: char=1,2,0,0,0,3,4,0,0,0,5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,0,0,0,8,0,0,0,9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// EXPECT 1: int=5,10,6,8,12,16,8,20,32,32,5,6,7,8,2,40

#pragma pack(push, 1)
typedef struct { char c; int i; } Tight;
#pragma pack(push, inner, 2)
typedef struct { char c; double d; } Two;
typedef struct { char c; int i; } Two4;
#pragma pack(pop, inner)
#pragma pack(pop)
typedef struct { char c; int i; } Natural;
#define FOUR 4
#pragma pack(FOUR)
typedef struct { char c; double d; } Four;
#pragma pack()
typedef struct { char c; double d; } Wide;
typedef int Vector __attribute__((vector_size(16)));
typedef float __attribute__((ext_vector_type(8))) Eight;
typedef int Short __attribute__((mode(HI)));
struct tail { int count; int data[]; };

_Static_assert(sizeof(Tight) == 5, "packed to one byte");
_Static_assert(sizeof(Two) == 10 && sizeof(Two4) == 6, "to two");
struct inside { int a; _Static_assert(sizeof(int) == 4, "in a record"); int b; };

kernel void k(global char *bytes, global int *out) {
    global Tight *tight = (global Tight *)bytes;
    tight[0].c = 1;
    tight[0].i = 2;
    tight[1].c = 3;
    tight[1].i = 4;
    tight[2].c = 5;
    global struct tail *tail = (global struct tail *)(bytes + 32);
    tail->count = 7;
    tail->data[0] = 8;
    tail->data[1] = 9;
    _Static_assert(sizeof(struct inside) == 8, "two ints");
    int at = 0;
    out[at++] = sizeof(Tight);
    out[at++] = sizeof(Two);
    out[at++] = sizeof(Two4);
    out[at++] = sizeof(Natural);
    out[at++] = sizeof(Four);
    out[at++] = sizeof(Wide);
    out[at++] = sizeof(struct inside);
    out[at++] = sizeof(Tight[4]);
    out[at++] = sizeof(Eight);
    out[at++] = _Alignof(Eight);
    Vector v = {1, 2, 3, 4};
    v += 4;
    for (int i = 0; i < 4; i++) out[at++] = v[i];
    out[at++] = sizeof(Short);
    Eight e = 5.0f;
    e.hi *= 1.0f;
    float sum = 0;
    for (int i = 0; i < 8; i++) sum += e[i];
    out[at++] = (int)sum;
}
