struct S { int a; };
kernel void k(int n, float f, float4 v, global int *g) {
  struct S s;
  if (v) n = 1; // error: statement requires expression of scalar type ('float4' (vector of 4 'float' values) invalid)
  while (s) n = 1; // error: statement requires expression of scalar type ('struct S' invalid)
  break; // error: 'break' statement not in loop or switch statement
  continue; // error: 'continue' statement not in loop statement
  goto nowhere; // error: use of undeclared label 'nowhere'
  case 1: n = 1; // error: 'case' statement not in switch statement
  switch (f) { } // error: statement requires expression of integer type ('float' invalid)
  switch (n) {
    case 1: n = 2;
    case 1: n = 3; // error: duplicate case value '1'
    case 5 ... 7: n = 3;
    case 6: n = 3; // error: duplicate case value '6'
    case 4 ... 5: n = 3; // error: duplicate case value '4'
    default: n = 3;
    default: n = 4; // error: multiple default labels in one switch
  }
  switch (n) { case n: n = 1; } // error: expression is not an integer constant expression
  again: n = 3;
  again: n = 4; // error: redefinition of label 'again'
}
