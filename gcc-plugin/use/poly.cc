/* Polynomials over atoms.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns use_atoms, in which an atom is there once, so that its number is its
   identity.  A result that would not fit is an opaque atom.  Coefficients wrap,
   as addresses do.  */

#include "use/use.h"

vec<use_atom> use_atoms;

/* As many as factors' numbers can tell apart, and then some to spare.  */
#define ATOMS_MAX 4000

bool use_atoms_full;

/* An operation with more atoms in it is opaque.  Atoms are shared, but what
   walks an expression, and its code in the table, takes each as often as it
   occurs: in a deep nest whose loops depend on each other that would double
   with each of them.  */
#define WEIGHT_MAX 128

/* Atoms by their hash: the first of each chain, plus 1.  */
#define CHAINS 512
static unsigned short chains[CHAINS];

void
use_atoms_reset (void)
{
  use_atoms.truncate (0);
  use_atoms_full = false;
  memset (chains, 0, sizeof chains);
}

static unsigned
poly_hash (const use_poly &p, unsigned hash)
{
  for (unsigned i = 0; i < p.n; i++)
    {
      hash = hash * 31 + (unsigned) p.terms[i].k;
      for (unsigned j = 0; j < p.terms[i].n; j++)
	hash = hash * 31 + p.terms[i].atom[j];
    }
  return hash;
}

/* Does it not matter which of its operands A has first?  */
static bool
atom_is_symmetric (const use_atom &a)
{
  return a.kind == USE_MIN || a.kind == USE_MAX;
}

static unsigned
atom_hash (const use_atom &a)
{
  unsigned hash = (a.kind * 31 + a.a) * 31 + (unsigned) a.offset;
  hash = hash * 31 + (unsigned) ((uintptr_t) a.t >> 4);
  if (atom_is_symmetric (a))
    return poly_hash (a.x, hash) + poly_hash (a.y, hash);
  return poly_hash (a.y, poly_hash (a.x, hash));
}

/* The weight of P; the kinds in it are added to *KINDS.  */
static unsigned
poly_weight (const use_poly &p, unsigned *kinds)
{
  unsigned weight = 0;
  for (unsigned i = 0; i < p.n; i++)
    for (unsigned j = 0; j < p.terms[i].n; j++)
      {
	weight += use_atoms[p.terms[i].atom[j]].weight;
	*kinds |= use_atoms[p.terms[i].atom[j]].kinds;
      }
  return weight;
}

static bool
atom_equal (const use_atom &a, const use_atom &b)
{
  return a.kind == b.kind && a.a == b.a && a.offset == b.offset
	 && a.size == b.size && a.t == b.t
	 && ((use_equal (a.x, b.x) && use_equal (a.y, b.y))
	     || (atom_is_symmetric (a) && use_equal (a.x, b.y)
		 && use_equal (a.y, b.x)));
}

use_poly
use_const (HOST_WIDE_INT k)
{
  use_poly p = {};
  if (k)
    {
      p.n = 1;
      p.terms[0].k = k;
    }
  return p;
}

/* Fill in what ATOM has of those in it.  */
static void
atom_complete (use_atom *atom)
{
  atom->kinds = USE_SET (atom->kind);
  atom->weight = 1 + poly_weight (atom->x, &atom->kinds)
		 + poly_weight (atom->y, &atom->kinds);
  if (atom->kind == USE_DATA && atom->weight > WEIGHT_MAX)
    {
      /* Where it lies is too much to know.  */
      atom->x = {};
      atom->size = 0;
      atom_complete (atom);
    }
}

use_poly
use_atom_new (const use_atom &wanted)
{
  use_atom atom = wanted;
  atom_complete (&atom);
  unsigned short *chain = &chains[atom_hash (atom) % CHAINS];
  unsigned i = *chain;
  while (i && !atom_equal (use_atoms[i - 1], atom))
    i = use_atoms[i - 1].next;
  if (i)
    i--;
  else if (use_atoms.length () >= ATOMS_MAX)
    use_atoms_full = true;
  else
    {
      i = use_atoms.length ();
      atom.next = *chain;
      *chain = i + 1;
      use_atoms.safe_push (atom);
    }
  use_poly p = {};
  p.n = 1;
  p.terms[0].k = 1;
  p.terms[0].n = 1;
  p.terms[0].atom[0] = i;
  return p;
}

use_poly
use_simple (use_atom_kind kind, unsigned a, tree t)
{
  use_atom atom = {};
  atom.kind = kind;
  atom.a = a;
  atom.t = t;
  /* Two of these are not equal for all that is known.  */
  if (kind == USE_OPAQUE)
    atom.offset = use_atoms.length ();
  return use_atom_new (atom);
}

static use_poly
too_large (void)
{
  return use_simple (USE_OPAQUE, USE_WHY_COMPUTED, NULL_TREE);
}

/* The order of terms: by their factors.  */
static int
term_compare (const use_term &a, const use_term &b)
{
  if (a.n != b.n)
    return a.n > b.n ? -1 : 1;
  for (unsigned i = 0; i < a.n; i++)
    if (a.atom[i] != b.atom[i])
      return a.atom[i] < b.atom[i] ? -1 : 1;
  return 0;
}

static HOST_WIDE_INT
wrap_mul (HOST_WIDE_INT a, HOST_WIDE_INT b)
{
  return (unsigned HOST_WIDE_INT) a * (unsigned HOST_WIDE_INT) b;
}

static HOST_WIDE_INT
wrap_add (HOST_WIDE_INT a, HOST_WIDE_INT b)
{
  return (unsigned HOST_WIDE_INT) a + (unsigned HOST_WIDE_INT) b;
}

/* A + K * B.  */
use_poly
use_add (const use_poly &a, const use_poly &b, HOST_WIDE_INT k)
{
  use_poly p = {};
  unsigned i = 0, j = 0;
  while (i < a.n || j < b.n)
    {
      int order = i == a.n ? 1 : j == b.n ? -1
		  : term_compare (a.terms[i], b.terms[j]);
      use_term t = order <= 0 ? a.terms[i] : b.terms[j];
      if (order > 0)
	t.k = wrap_mul (k, t.k);
      else if (order == 0)
	t.k = wrap_add (t.k, wrap_mul (k, b.terms[j].k));
      i += order <= 0;
      j += order >= 0;
      if (t.k == 0)
	continue;
      if (p.n == USE_TERMS)
	return too_large ();
      p.terms[p.n++] = t;
    }
  return p;
}

static bool
term_mul (const use_term &a, const use_term &b, use_term *out)
{
  if (a.n + b.n > USE_FACTORS)
    return false;
  *out = a;
  out->k = wrap_mul (a.k, b.k);
  for (unsigned i = 0; i < b.n; i++)
    {
      unsigned at = out->n++;
      for (; at > 0 && out->atom[at - 1] > b.atom[i]; at--)
	out->atom[at] = out->atom[at - 1];
      out->atom[at] = b.atom[i];
    }
  return true;
}

use_poly
use_mul (const use_poly &a, const use_poly &b)
{
  use_poly p = {};
  for (unsigned i = 0; i < a.n; i++)
    for (unsigned j = 0; j < b.n; j++)
      {
	use_poly one = {};
	one.n = 1;
	if (!term_mul (a.terms[i], b.terms[j], &one.terms[0]))
	  return too_large ();
	p = use_add (p, one);
      }
  return p;
}

/* A term such that B times it is A.  */
static bool
term_div (const use_term &a, const use_term &b, use_term *out)
{
  if (b.k == 0 || (b.k != -1 && a.k % b.k) || b.n > a.n)
    return false;
  *out = {};
  out->k = b.k == -1 ? wrap_mul (a.k, -1) : a.k / b.k;
  unsigned j = 0;
  for (unsigned i = 0; i < a.n; i++)
    if (j < b.n && a.atom[i] == b.atom[j])
      j++;
    else
      out->atom[out->n++] = a.atom[i];
  return j == b.n;
}

/* A over B where nothing remains.  */
static bool
div_exact (use_poly a, const use_poly &b, use_poly *out)
{
  *out = {};
  for (unsigned round = 0; a.n && round < USE_TERMS; round++)
    {
      use_poly one = {};
      one.n = 1;
      if (!term_div (a.terms[0], b.terms[0], &one.terms[0]))
	return false;
      *out = use_add (*out, one);
      a = use_add (a, use_mul (one, b), -1);
    }
  return a.n == 0;
}

static use_poly
use_binary (use_atom_kind kind, const use_poly &a, const use_poly &b)
{
  const use_atom *o = use_find (a, USE_SET (USE_OPAQUE));
  if (!o)
    o = use_find (b, USE_SET (USE_OPAQUE));
  if (o)
    return use_simple (USE_OPAQUE, o->a, o->t);
  unsigned kinds = 0;
  if (poly_weight (a, &kinds) + poly_weight (b, &kinds) > WEIGHT_MAX)
    return too_large ();
  use_atom atom = {};
  atom.kind = kind;
  atom.x = a;
  atom.y = b;
  return use_atom_new (atom);
}

/* A = Y * X + C, where C is less than Y and not negative, all constants but X.
   Returns whether X has integer coefficients.  */
static bool
split_multiple (const use_poly &a, HOST_WIDE_INT y, use_poly *x,
		HOST_WIDE_INT *c)
{
  *x = {};
  *c = 0;
  for (unsigned i = 0; i < a.n; i++)
    {
      use_poly one = {};
      one.n = 1;
      one.terms[0] = a.terms[i];
      HOST_WIDE_INT k = a.terms[i].k, low = k % y;
      if (a.terms[i].n && low)
	return false;
      if (low < 0)
	low += y;
      if (a.terms[i].n == 0)
	*c = low;
      one.terms[0].k = (k - low) / y;
      if (one.terms[0].k)
	*x = use_add (*x, one);
    }
  return true;
}

use_poly
use_div_up (const use_poly &a, const use_poly &b)
{
  HOST_WIDE_INT y, c;
  use_poly x;
  if (b.n && div_exact (a, b, &x))
    return x;
  if (use_is_const (b, &y) && y > 0 && split_multiple (a, y, &x, &c))
    return use_add (x, use_const (c > 0));
  return use_div (use_add (use_add (a, b), use_const (-1)), b);
}

use_poly
use_div (const use_poly &a, const use_poly &b)
{
  HOST_WIDE_INT x, y;
  bool cx = use_is_const (a, &x), cy = use_is_const (b, &y);
  use_poly quotient;
  if (cy && y == 0)
    return too_large ();
  if (cx && cy && y != -1)
    return use_const (x / y);
  if (a.n == 0 || (cy && y == 1))
    return a;
  if (b.n && div_exact (a, b, &quotient))
    return quotient;
  /* Rounded down, which for what is divided in loop bounds (never below 0 where
     the loop runs) is towards 0; not where there is something to subtract.  */
  if (cy && y > 1 && a.n && split_multiple (a, y, &quotient, &x)
      && (a.terms[a.n - 1].n || a.terms[a.n - 1].k > 0))
    return quotient;
  return use_binary (USE_DIV, a, b);
}

use_poly
use_min (const use_poly &a, const use_poly &b)
{
  HOST_WIDE_INT k;
  if (use_is_const (use_add (a, b, -1), &k))
    return k <= 0 ? a : b;
  return use_binary (USE_MIN, a, b);
}

use_poly
use_max (const use_poly &a, const use_poly &b)
{
  HOST_WIDE_INT k;
  if (use_is_const (use_add (a, b, -1), &k))
    return k >= 0 ? a : b;
  return use_binary (USE_MAX, a, b);
}

bool
use_equal (const use_poly &a, const use_poly &b)
{
  if (a.n != b.n)
    return false;
  for (unsigned i = 0; i < a.n; i++)
    if (a.terms[i].k != b.terms[i].k
	|| term_compare (a.terms[i], b.terms[i]) != 0)
      return false;
  return true;
}

bool
use_is_const (const use_poly &a, HOST_WIDE_INT *k)
{
  if (a.n > 1 || (a.n == 1 && a.terms[0].n))
    return false;
  *k = a.n ? a.terms[0].k : 0;
  return true;
}

const use_atom *
use_is_atom (const use_poly &a)
{
  return a.n == 1 && a.terms[0].n == 1 && a.terms[0].k == 1
	 ? &use_atoms[a.terms[0].atom[0]] : NULL;
}

unsigned
use_atom_number (const use_poly &a)
{
  return a.terms[0].atom[0];
}

static bool
atom_is_operation (const use_atom &atom)
{
  return atom.kind == USE_DIV || atom.kind == USE_MIN || atom.kind == USE_MAX;
}

const use_atom *
use_find (const use_poly &a, unsigned kinds)
{
  for (unsigned i = 0; i < a.n; i++)
    for (unsigned j = 0; j < a.terms[i].n; j++)
      {
	const use_atom &atom = use_atoms[a.terms[i].atom[j]];
	if (USE_SET (atom.kind) & kinds)
	  return &atom;
	/* Where data was loaded from is use/data.cc's matter alone.  */
	if (!atom_is_operation (atom) || !(atom.kinds & kinds))
	  continue;
	const use_atom *inner = use_find (atom.x, kinds);
	if (!inner)
	  inner = use_find (atom.y, kinds);
	if (inner)
	  return inner;
      }
  return NULL;
}

/* What atom number I becomes.  */
static use_poly
atom_substitute (unsigned i, unsigned atom, const use_poly &by)
{
  if (i == atom)
    return by;
  use_atom copy = use_atoms[i];
  if (!atom_is_operation (copy))
    return use_atom_new (copy);
  use_poly x = use_substitute (copy.x, atom, by);
  use_poly y = use_substitute (copy.y, atom, by);
  return copy.kind == USE_DIV ? use_div (x, y)
	 : copy.kind == USE_MIN ? use_min (x, y) : use_max (x, y);
}

use_poly
use_substitute (const use_poly &a, unsigned atom, const use_poly &by)
{
  use_poly out = {};
  for (unsigned i = 0; i < a.n; i++)
    {
      use_poly product = use_const (a.terms[i].k);
      for (unsigned j = 0; j < a.terms[i].n; j++)
	product = use_mul (product,
			   atom_substitute (a.terms[i].atom[j], atom, by));
      out = use_add (out, product);
    }
  return out;
}

/* Does atom number I contain ATOM?  */
static bool
atom_contains (unsigned i, unsigned atom)
{
  if (i == atom)
    return true;
  if (!atom_is_operation (use_atoms[i]))
    return false;
  const use_poly *sides[] = { &use_atoms[i].x, &use_atoms[i].y };
  for (const use_poly *p : sides)
    for (unsigned j = 0; j < p->n; j++)
      for (unsigned k = 0; k < p->terms[j].n; k++)
	if (atom_contains (p->terms[j].atom[k], atom))
	  return true;
  return false;
}

bool
use_linear (const use_poly &a, unsigned atom, use_poly *coefficient,
	    use_poly *rest)
{
  *coefficient = *rest = {};
  for (unsigned i = 0; i < a.n; i++)
    {
      use_term t = a.terms[i];
      use_poly one = {};
      one.n = 1;
      unsigned times = 0;
      one.terms[0].k = t.k;
      for (unsigned j = 0; j < t.n; j++)
	if (t.atom[j] == atom)
	  times++;
	else if (atom_contains (t.atom[j], atom))
	  return false;
	else
	  one.terms[0].atom[one.terms[0].n++] = t.atom[j];
      if (times > 1)
	return false;
      use_poly *to = times ? coefficient : rest;
      *to = use_add (*to, one);
    }
  return true;
}
