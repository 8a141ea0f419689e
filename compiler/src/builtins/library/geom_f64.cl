// Geometric functions of double on up to four components, absent ones zero: length (distance is the length of the
// difference) and normalize, without overflow or underflow in between.

// A power of two that brings the largest component, given by its bits, where squares are safe, or 1.
double __clforge_geom_scale_f64(ulong largest)
{
    return largest > 0x5f30000000000000ul ? 0x1p-600 : largest < 0x23d0000000000000ul ? 0x1p+600 : 1.0;
}

ulong __clforge_geom_largest_f64(double x, double y, double z, double w)
{
    ulong a = as_ulong(x) & 0x7ffffffffffffffful;
    ulong b = as_ulong(y) & 0x7ffffffffffffffful;
    ulong c = as_ulong(z) & 0x7ffffffffffffffful;
    ulong d = as_ulong(w) & 0x7ffffffffffffffful;
    a = a > b ? a : b;
    c = c > d ? c : d;
    return a > c ? a : c;
}

double __clforge_length_f64(double x, double y, double z, double w)
{
    ulong m = __clforge_geom_largest_f64(x, y, z, w);
    if (m >= 0x7ff0000000000000ul)
        return as_double(m > 0x7ff0000000000000ul ? 0x7ff8000000000000ul : m);
    double s = __clforge_geom_scale_f64(m);
    x *= s;
    y *= s;
    z *= s;
    w *= s;
    double r = sqrt((x * x + y * y) + (z * z + w * w));
    return s == 1.0 ? r : s < 1.0 ? r * 0x1p600 : r * 0x1p-600;
}

// In place.
void __clforge_normalize_f64(double *x, double *y, double *z, double *w)
{
    ulong m = __clforge_geom_largest_f64(*x, *y, *z, *w);
    if (m == 0ul)
        return;
    if (m > 0x7ff0000000000000ul) {
        *x = *y = *z = *w = as_double(0x7ff8000000000000ul);
        return;
    }
    if (m == 0x7ff0000000000000ul) { // infinities become ones, all else zeros
        ulong a = as_ulong(*x);
        ulong b = as_ulong(*y);
        ulong c = as_ulong(*z);
        ulong d = as_ulong(*w);
        *x = as_double((a & 0x8000000000000000ul) | ((a & 0x7ffffffffffffffful) == m ? 0x3ff0000000000000ul : 0ul));
        *y = as_double((b & 0x8000000000000000ul) | ((b & 0x7ffffffffffffffful) == m ? 0x3ff0000000000000ul : 0ul));
        *z = as_double((c & 0x8000000000000000ul) | ((c & 0x7ffffffffffffffful) == m ? 0x3ff0000000000000ul : 0ul));
        *w = as_double((d & 0x8000000000000000ul) | ((d & 0x7ffffffffffffffful) == m ? 0x3ff0000000000000ul : 0ul));
    }
    m = __clforge_geom_largest_f64(*x, *y, *z, *w);
    double s = __clforge_geom_scale_f64(m);
    double p = *x * s;
    double q = *y * s;
    double r = *z * s;
    double t = *w * s;
    double l = (p * p + q * q) + (r * r + t * t);
    if (l == 0.0) // denormals that the device flushes
        return;
    l = sqrt(l);
    *x = p / l;
    *y = q / l;
    *z = r / l;
    *w = t / l;
}
