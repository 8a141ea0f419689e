// Choices between shifts of two words by constants, which `funnel_shifts` makes one shift of 64 bits. Expected: a host program.
// RUN: kernel=choices global=8
// ARG: buffer:uint=2309737967,19088743,4294967295,2147483649,0,3735928559,324508639,610839776
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// EXPECT 1: uint=19088743,19088743,2309737967,19088743,19088743,19088743,1744830463,4294967041,305419903,134217727,4294967295,1744830463,4294934528,131071,4294967168,2097152,393216,4294934528,256,8388608,4096,0,0,512,3735928559,3735928559,3735928559,7,3735928559,3735928559,4011022235,1469833182,324508639,7,2939665958,4011022235,2615092328,2900366167,610839776,7,3011547554,2615092328,1756160137,4012140716,2309737967,7,2085445231,3512320275

uint bytes_of(uint high, uint low, int count) {
    uint result = 0;
    int number = count & 3;
    if (number == 0) result = low;
    else if (number == 1) result = high << 24 | low >> 8;
    else if (number == 2) result = high << 16 | low >> 16;
    else if (number == 3) result = high << 8 | low >> 24;
    return result;
}

uint lower_bytes_of(uint high, uint low, int count) {
    switch (count & 3) {
    case 0: return low;
    case 1: return high >> 24 | low << 8;
    case 2: return high >> 16 | low << 16;
    default: return high >> 8 | low << 24;
    }
}

/// The shift grows, and numbers are left for the last value.
uint nibbles_of(uint high, uint low, uint count) {
    return count == 0 ? high
         : count == 1 ? high << 4 | low >> 28
         : count == 2 ? high << 8 | low >> 24
         : count == 3 ? (high << 12) + (low >> 20)
         : low;
}

uint fifths_of(uint word, uint count) {
    return count == 0 ? word : count == 1 ? word >> 5 : count == 2 ? word >> 10 : count == 3 ? word >> 15 : 7;
}

uint rotated(uint word, uint count) {
    count &= 3;
    return count == 0 ? word
         : count == 1 ? (word << 9 | word >> 23)
         : count == 2 ? (word << 18 ^ word >> 14)
         : (word << 27 | word >> 5);
}

/// The last shift is not three times the first.
uint unequal(uint high, uint low, uint count) {
    count &= 3;
    if (count == 0) return low;
    if (count == 1) return high << 24 | low >> 8;
    if (count == 2) return high << 16 | low >> 16;
    return high << 9 | low >> 23;
}

kernel void choices(global const uint *words, global uint *out) {
    uint i = get_global_id(0);
    uint high = words[i], low = words[(i + 1) % 8];
    out[6 * i] = bytes_of(high, low, i);
    out[6 * i + 1] = lower_bytes_of(high, low, i);
    out[6 * i + 2] = nibbles_of(high, low, i);
    out[6 * i + 3] = fifths_of(low, i);
    out[6 * i + 4] = rotated(low, i);
    out[6 * i + 5] = unequal(high, low, i);
}
