// options: --address-bits=32
// clang: not asked, since it knows no addressing of Vulkan
// A device address has 64 bits.
kernel void k(global int *p) { p[get_global_id(0)] = sizeof(p); }
