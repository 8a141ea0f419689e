// Bodies that are not where they seem to be.
kernel void k(global int *out, int a, int b) {
  if (a); // warning: if statement has empty body
  if (a)
    ;
  if (a) { }
  for (int i = 0; i < 3; i++); // warning: for loop has empty body
  { out[0] = 1; }
  while (out[0]++ < 3); // warning: while loop has empty body
  { out[0] = 1; }
  while (out[0]++ < 3);
  out[1] = 2;
  switch (a); // warning: switch statement has empty body
  if (a)
    if (b) out[0] = 1;
  else out[1] = 1; // warning: add explicit braces to avoid dangling else
  if (a) {
    if (b) out[0] = 1;
  } else out[1] = 1;
}
// ---
// warning: if statement has empty body [-Wempty-body]
//  --> test.cl:3:9
//   |
// 3 |   if (a);
//   |         ^
//   |
// help: put the semicolon on a separate line to silence this warning
//
// warning: for loop has empty body [-Wempty-body]
//  --> test.cl:7:30
//   |
// 7 |   for (int i = 0; i < 3; i++);
//   |                              ^
//   |
// help: put the semicolon on a separate line to silence this warning
//
// warning: while loop has empty body [-Wempty-body]
//  --> test.cl:9:23
//   |
// 9 |   while (out[0]++ < 3);
//   |                       ^
//   |
// help: put the semicolon on a separate line to silence this warning
//
// warning: switch statement has empty body [-Wempty-body]
//   --> test.cl:13:13
//    |
// 13 |   switch (a);
//    |             ^
//    |
// help: put the semicolon on a separate line to silence this warning
//
// warning: add explicit braces to avoid dangling else [-Wdangling-else]
//   --> test.cl:16:3
//    |
// 16 |   else out[1] = 1;
//    |   ^^^^
