// Blocks that are called: captures by value, arrays by reference, nested blocks, inferred results, blocks of program
// scope, and blocks in functions that are called several times.
// OPTIONS: -cl-std=CL2.0
// RUN: kernel=k global=1 local=1
// ARG: buffer:int=0..16
// ARG: int=7
// ARG: buffer:float=2.5,4.0,1.5
// EXPECT 0: int=10,3,4,13,35,14,16,4,12,8,4,21,100,107,1,9
// SKIP reference: the driver has no blocks
// SKIP opencl: the driver's OpenCL 1.2 has no generic address space
typedef struct {
    int a;
    float4 f;
} Record;

int counter = 5;
int (^increment)(int) = ^(int i) { return i + 1; };

int doubled(int x) {
    int (^twice)(void) = ^{ return x * 2; };
    return twice();
}

kernel void k(global int *out, int n, global float *floats) {
    int (^add)(int) = ^(int i) { return i + n; };
    int array[3] = {1, 2, 3};
    out[0] = add(3);                                            // 10
    out[1] = increment(2);                                      // 3
    void (^stores)(void) = ^{ out[2] = increment(3); };
    stores();                                                   // 4
    void (^outer)(void) = ^{
        void (^inner)(int) = ^(int q) { out[3] = n + q * array[1]; };
        inner(array[2]);
    };
    outer();                                                    // 7 + 3 * 2 = 13
    out[4] = ^int(int q) { return q * n; }(5);                  // 35
    out[5] = doubled(n);                                        // 14
    out[6] = doubled(n + 1);                                    // 16
    static int (^minus_one)(int) = ^(int x) { return x - 1; };
    out[7] = minus_one(counter);                                // 4
    int captured = 12;
    int (^old)(void) = ^{ return captured; };
    captured = 99;
    out[8] = old();                                             // 12: the value when the literal was evaluated
    array[0] = 8;
    int (^by_reference)(void) = ^{ return array[0]; };
    out[9] = by_reference();                                    // 8
    float (^larger)(float, float) = ^(float x, float y) {
        if (x > y)
            return x;
        else
            return y;
    };
    out[10] = (int)larger(floats[0], floats[1]);                // 4
    const int count = 4;
    int (^sums)(void) = ^int(void) {
        int table[count + 3];
        int sum = 0;
        for (int i = 0; i < n; i++)
            table[i] = i;
        for (int i = 0; i < n; i++)
            sum += table[i];
        return sum;
    };
    out[11] = sums();                                           // 0 + 1 + … + 6 = 21
    Record record = {100, (float4)(1.0f, 7.0f, 0.0f, 0.0f)};
    int (^of_record)(int) = ^(int lane) { return record.a + (lane ? (int)record.f.y : 0); };
    out[12] = of_record(0);                                     // 100
    out[13] = of_record(1);                                     // 107
    out[14] = 0;
    for (int i = 0; i < 3; i++) {
        int (^is_one)(void) = ^{ return i == 1; };
        out[14] += is_one();                                    // 1
    }
    Record (^makes)(int) = ^Record(int a) {
        Record made = {a, (float4)(0.0f)};
        return made;
    };
    out[15] = makes(9).a;                                       // 9
}
