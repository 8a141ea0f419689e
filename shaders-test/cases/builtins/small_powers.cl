// Powers whose exponents are small constants, of numbers whose powers are exact; also of infinities and zeros. What is NaN is
// only told from numbers.
// RUN: kernel=powers global=12 local=4
// ARG: buffer:float=1,2,-3,0,-0.0,inf,-inf,nan,0.5,-1.5,100,-7
// ARG: buffer:float=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:float=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// EXPECT: pocl
float number(float x)
{
    return isnan(x) ? 4321 : x;
}

kernel void powers(global float *x, global float *powers, global float4 *vectors)
{
    size_t item = get_global_id(0);
    powers[3 * item] = number(pow(x[item], 2.0f) + pow(x[item], 0.0f));
    powers[3 * item + 1] = number(pow(x[item], 3.0f)) + number(pown(x[item], 1));
    powers[3 * item + 2] = number(pown(x[item], 4) + pown(x[item], 2));
    float4 all = (float4)(x[item], -x[item], x[item] + 1, 2);
    float4 cubes = pow(all, (float4)(3)), squares = pown(all, (int4)(2));
    vectors[item] = (float4)(number(cubes.x), number(cubes.y), number(squares.x), number(cubes.z + squares.w));
}
