/* Between the two units of wave.c.  */
enum { N = 40000 };

void other (double *sum);
