// The packed, saturating and Arm forms of integer dot products; trailing zeros.
// OPTIONS: -cl-std=CL2.0
// SKIP reference: the driver has none of these functions
// RUN: kernel=k global=1
// ARG: buffer:int=0..24
// EXPECT 0: int=-16384,-1,2147483647,-2147483648,2147483647,70,110,-40,16,-32768,2147483647,-1,0,31,32,8,0,7,64,33,16,3,5,8
kernel void k(global int *o) {
    uint ones = 0xffffffff, mixed = 0x80ff7f01;
    o[0] = dot_4x8packed_us_int(0x0180ff00, 0x007f8080);
    o[1] = (int)dot_acc_sat_4x8packed_uu_uint(ones, ones, 0xffffffffu);
    o[2] = dot_acc_sat_4x8packed_ss_int(0x7f7f7f7f, 0x7f7f7f7f, 2147483647);
    o[3] = dot_acc_sat_4x8packed_us_int(ones, 0x80808080, (-2147483647 - 1));
    o[4] = dot_acc_sat_4x8packed_su_int(0x7f7f7f7f, ones, 2147483646);
    o[5] = (int)arm_dot((uchar4)(1, 2, 3, 4), (uchar4)(5, 6, 7, 8));
    o[6] = arm_dot_acc((char4)(1, -2, 3, -4), (char4)(5, -6, 7, -8), 40);
    o[7] = arm_dot_acc((short2)(10, -20), (short2)(-3, 4), 70);
    o[8] = (int)arm_dot_acc((ushort2)(1, 2), (ushort2)(2, 3), 8u);
    o[9] = arm_dot_acc_sat((char4)(-128), (char4)(64), 0);
    o[10] = arm_dot_acc_sat((char4)(127), (char4)(127), 2147483600);
    o[11] = (int)arm_dot_acc_sat((uchar4)(255), (uchar4)(255), 0xffffffffu);
    o[12] = ctz(mixed); o[13] = ctz(0x80000000u); o[14] = ctz(0); o[15] = ctz((uchar)0); o[16] = ctz((char)-1);
    o[17] = ctz((char)-128); o[18] = (int)ctz(0ul); o[19] = (int)ctz(1ul << 33); o[20] = ctz((short)0);
    int4 lanes = ctz((int4)(8, 32, 256, 0));
    o[21] = lanes.x; o[22] = lanes.y; o[23] = lanes.z;
}
