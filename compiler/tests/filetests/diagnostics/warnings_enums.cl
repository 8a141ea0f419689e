// A switch over an enumeration that forgets values.
enum Color { Red, Green, Blue, Alpha };
int one(enum Color c) { switch (c) { case Red: case Green: case Blue: return 1; } return 0; } // warning: enumeration value 'Alpha' not handled in switch
int two(enum Color c) { switch (c) { case Red: case Green: return 1; } return 0; } // warning: enumeration values 'Blue' and 'Alpha' not handled in switch
int three(enum Color c) { switch (c) { case Red: return 1; } return 0; } // warning: enumeration values 'Green', 'Blue', and 'Alpha' not handled in switch
int four(enum Color c) { switch (c) { } return 0; } // warning: 4 enumeration values not handled in switch: 'Red', 'Green', 'Blue'...
int range(enum Color c) { switch (c) { case Red ... Alpha: return 1; } return 0; }
int all(enum Color c) { switch (c) { case Red: return 1; default: return 2; } }
int number(int c) { switch (c) { case Red: return 1; } return 0; }
// ---
// warning: enumeration value 'Alpha' not handled in switch [-Wswitch]
//  --> test.cl:3:33
//   |
// 3 | int one(enum Color c) { switch (c) { case Red: case Green: case Blue: return 1; } return 0; }
//   |                                 ^
//
// warning: enumeration values 'Blue' and 'Alpha' not handled in switch [-Wswitch]
//  --> test.cl:4:33
//   |
// 4 | int two(enum Color c) { switch (c) { case Red: case Green: return 1; } return 0; }
//   |                                 ^
//
// warning: enumeration values 'Green', 'Blue', and 'Alpha' not handled in switch [-Wswitch]
//  --> test.cl:5:35
//   |
// 5 | int three(enum Color c) { switch (c) { case Red: return 1; } return 0; }
//   |                                   ^
//
// warning: 4 enumeration values not handled in switch: 'Red', 'Green', 'Blue'... [-Wswitch]
//  --> test.cl:6:34
//   |
// 6 | int four(enum Color c) { switch (c) { } return 0; }
//   |                                  ^
