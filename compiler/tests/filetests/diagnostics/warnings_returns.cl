// Functions that forget their result.
int nothing(int a) { a++; } // warning: non-void function does not return a value
int some(int a) { if (a) return 1; } // warning: non-void function does not return a value in all control paths
int both(int a) { if (a) return 1; else return 2; }
int forever(int a) { for (;;) a++; }
void none(int a) { a++; }
// ---
// warning: non-void function does not return a value [-Wreturn-type]
//  --> test.cl:2:27
//   |
// 2 | int nothing(int a) { a++; }
//   |                           ^
//
// warning: non-void function does not return a value in all control paths [-Wreturn-type]
//  --> test.cl:3:36
//   |
// 3 | int some(int a) { if (a) return 1; }
//   |                                    ^
