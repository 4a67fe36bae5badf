/* What may point to what: objects, nodes, constraints and their solution.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns the unit's graph.  A node holds pointees, each an object and an offset
   into it; an object's cells are nodes, too.  Constraints are gone through in
   the order of the code until nothing changes: copies go forward mostly, so a few
   rounds do.  What they depend on has versions, which say whether there is
   anything new.  A node that points to too much points to what nobody knows, and
   what it would have pointed to is known to nobody from then on.  Looks at no
   code.  */

#include "site/site.h"

/* Of a node: pointees, and offsets into one object; then they become one that
   is not known.  */
#define SET_MAX 64
#define OFFSETS_MAX 8
/* Of an object.  */
#define CELLS_MAX 64
#define SINKS_MAX 48
/* Offsets beyond are not told apart.  */
#define OFFSET_MAX ((HOST_WIDE_INT) 1 << 30)
/* Of a unit.  */
#define CONSTRAINTS_MAX 2000000
#define WORK_MAX 1000000000

enum constraint_kind { COPY, LOAD, STORE, MOVE, SINK, WATCH };

struct constraint
{
  constraint_kind kind;
  unsigned to, from;		/* Nodes; SINK: TO is a symbol.  */
  HOST_WIDE_INT to_offset, from_offset, size;
  gcall *call;
  uint64_t version;		/* Of what it depends on, when it was applied
				   last.  */
};

struct node
{
  vec<site_pointee> set;
  uint64_t version;		/* Grows with the set.  */
  unsigned owner;		/* The object whose cell it is, plus 1; or 0.  */
  bool full;
};

vec<site_object> site_objects;
vec<site_symbol> site_symbols;
static vec<node> nodes;
static vec<constraint> constraints;
static hash_map<tree, unsigned> *variables;	/* To objects.  */
static bool changed;
static HOST_WIDE_INT work;

static HOST_WIDE_INT
offset_add (HOST_WIDE_INT a, HOST_WIDE_INT b)
{
  if (a == SITE_ANY || b == SITE_ANY || a + b > OFFSET_MAX
      || a + b < -OFFSET_MAX)
    return SITE_ANY;
  return a + b;
}

unsigned
site_node_new (void)
{
  node n = {};
  nodes.safe_push (n);
  return nodes.length () - 1;
}

const vec<site_pointee> &
site_set (unsigned n)
{
  return nodes[n].set;
}

static void
node_changed (unsigned n)
{
  nodes[n].version++;
  if (nodes[n].owner)
    site_objects[nodes[n].owner - 1].version++;
  changed = true;
}

/* N points to too much.  */
static void
set_give_up (unsigned n)
{
  vec<site_pointee> &set = nodes[n].set;
  for (unsigned i = 0; i < set.length (); i++)
    site_object_sink (set[i].object, SITE_UNKNOWN);
  set.truncate (0);
  site_pointee unknown = { site_symbols[SITE_UNKNOWN].object, SITE_ANY };
  set.safe_push (unknown);
  nodes[n].full = true;
  node_changed (n);
}

/* N's pointees in OBJECT become one.  */
static void
set_collapse (unsigned n, unsigned object)
{
  vec<site_pointee> &set = nodes[n].set;
  unsigned kept = 0;
  for (unsigned i = 0; i < set.length (); i++)
    if (set[i].object != object)
      set[kept++] = set[i];
  set.truncate (kept);
  site_pointee any = { object, SITE_ANY };
  set.safe_push (any);
}

static void
set_add (unsigned n, unsigned object, HOST_WIDE_INT offset)
{
  if (nodes[n].full)
    {
      site_object_sink (object, SITE_UNKNOWN);
      return;
    }
  if (site_objects[object].kind == SITE_OBJECT_SYMBOL)
    offset = SITE_ANY;
  vec<site_pointee> &set = nodes[n].set;
  unsigned same = 0;
  work += set.length ();
  for (unsigned i = 0; i < set.length (); i++)
    if (set[i].object == object)
      {
	if (set[i].offset == offset || set[i].offset == SITE_ANY)
	  return;
	same++;
      }
  site_pointee p = { object, offset };
  if (same && (offset == SITE_ANY || same >= OFFSETS_MAX))
    set_collapse (n, object);
  else
    set.safe_push (p);
  node_changed (n);
  if (set.length () > SET_MAX)
    set_give_up (n);
}

/* TO may point to what FROM does, OFFSET beyond.  */
static void
set_copy (unsigned to, unsigned from, HOST_WIDE_INT offset)
{
  if (to == SITE_NOTHING || (to == from && offset == 0))
    return;
  for (unsigned i = 0; i < nodes[from].set.length (); i++)
    {
      site_pointee p = nodes[from].set[i];
      set_add (to, p.object, offset_add (p.offset, offset));
    }
}

unsigned
site_object_new (site_object_kind kind, unsigned number, tree decl)
{
  site_object o = {};
  o.kind = kind;
  o.number = number;
  o.decl = decl;
  o.address = site_node_new ();
  site_objects.safe_push (o);
  set_add (o.address, site_objects.length () - 1, 0);
  return site_objects.length () - 1;
}

unsigned
site_object_of (tree decl)
{
  bool known;
  unsigned &object = variables->get_or_insert (decl, &known);
  if (!known)
    object = site_object_new (SITE_OBJECT_VARIABLE, 0, decl);
  return object;
}

unsigned
site_symbol_get (unsigned kind, const char *name, unsigned index)
{
  for (unsigned i = 0; i < site_symbols.length (); i++)
    if (site_symbols[i].kind == kind && site_symbols[i].index == index
	&& site_symbols[i].name == name)
      return i;
  site_symbol s = { kind, name, index, site_objects.length (), false };
  site_symbols.safe_push (s);
  site_object_new (SITE_OBJECT_SYMBOL, site_symbols.length () - 1, NULL_TREE);
  return site_symbols.length () - 1;
}

unsigned
site_symbol_node (unsigned symbol)
{
  return site_objects[site_symbols[symbol].object].address;
}

/* The cell of OBJECT at OFFSET, or 0 if there is none and none is MADE.  */
static unsigned
cell_get (unsigned object, HOST_WIDE_INT offset, bool made)
{
  vec<site_cell> &cells = site_objects[object].cells;
  if (made && cells.length () >= CELLS_MAX)
    offset = SITE_ANY;
  for (unsigned i = 0; i < cells.length (); i++)
    if (cells[i].offset == offset)
      return cells[i].node;
  if (!made)
    return SITE_NOTHING;
  site_cell cell = { offset, site_node_new () };
  nodes[cell.node].owner = object + 1;
  site_objects[object].cells.safe_push (cell);
  return cell.node;
}

/* OBJECT is put into too many symbols: nobody knows into which.  */
static void
sinks_give_up (unsigned object)
{
  vec<unsigned> &sinks = site_objects[object].sinks;
  for (unsigned i = 0; i < sinks.length (); i++)
    site_symbols[sinks[i]].lossy = true;
  sinks.truncate (0);
  sinks.safe_push (SITE_UNKNOWN);
  site_objects[object].everywhere = true;
}

/* OBJECT is put where SYMBOL is what it is called.  */
void
site_object_sink (unsigned object, unsigned symbol)
{
  site_object *o = &site_objects[object];
  if (o->everywhere)
    {
      site_symbols[symbol].lossy = true;
      return;
    }
  work += o->sinks.length ();
  if ((o->kind == SITE_OBJECT_SYMBOL && o->number == symbol)
      || o->sinks.contains (symbol))
    return;
  o->sinks.safe_push (symbol);
  o->version++;
  changed = true;
  if (o->sinks.length () > SINKS_MAX)
    sinks_give_up (object);
}

static void
set_sink (unsigned from, unsigned symbol)
{
  for (unsigned i = 0; i < nodes[from].set.length (); i++)
    site_object_sink (nodes[from].set[i].object, symbol);
}

/* TO may be what OBJECT holds at OFFSET.  Other units may have put there what
   they hold.  */
static void
object_load (unsigned to, unsigned object, HOST_WIDE_INT offset)
{
  if (site_objects[object].kind == SITE_OBJECT_SYMBOL)
    {
      set_add (to, object, SITE_ANY);
      return;
    }
  for (unsigned i = 0; i < site_objects[object].cells.length (); i++)
    {
      site_cell cell = site_objects[object].cells[i];
      if (offset == SITE_ANY || cell.offset == offset
	  || cell.offset == SITE_ANY)
	set_copy (to, cell.node, 0);
    }
  for (unsigned i = 0; i < site_objects[object].sinks.length (); i++)
    set_add (to, site_symbols[site_objects[object].sinks[i]].object, SITE_ANY);
}

static void
object_store (unsigned object, HOST_WIDE_INT offset, unsigned from)
{
  if (nodes[from].set.is_empty ())
    return;
  if (site_objects[object].kind == SITE_OBJECT_SYMBOL)
    set_sink (from, site_objects[object].number);
  else
    set_copy (cell_get (object, offset, true), from, 0);
}

/* Move SIZE bytes from P to Q.  */
static void
objects_move (site_pointee q, site_pointee p, HOST_WIDE_INT size)
{
  if (site_objects[p.object].kind == SITE_OBJECT_SYMBOL)
    {
      object_store (q.object, q.offset, site_objects[p.object].address);
      return;
    }
  for (unsigned i = 0; i < site_objects[p.object].sinks.length (); i++)
    object_store (q.object, SITE_ANY,
		  site_symbol_node (site_objects[p.object].sinks[i]));
  for (unsigned i = 0; i < site_objects[p.object].cells.length (); i++)
    {
      site_cell cell = site_objects[p.object].cells[i];
      HOST_WIDE_INT to = SITE_ANY;
      if (cell.offset != SITE_ANY && p.offset != SITE_ANY)
	{
	  HOST_WIDE_INT at = cell.offset - p.offset;
	  if (at < 0 || (size >= 0 && at >= size))
	    continue;
	  to = offset_add (q.offset, at);
	}
      object_store (q.object, to, cell.node);
    }
}

static void
constraint_apply (const constraint *c, void (*watcher) (gcall *, tree))
{
  switch (c->kind)
    {
    case COPY:
      set_copy (c->to, c->from, c->from_offset);
      break;
    case SINK:
      set_sink (c->from, c->to);
      break;
    case LOAD:
      for (unsigned i = 0; i < nodes[c->from].set.length (); i++)
	{
	  site_pointee p = nodes[c->from].set[i];
	  object_load (c->to, p.object, offset_add (p.offset, c->from_offset));
	}
      break;
    case STORE:
      for (unsigned i = 0; i < nodes[c->to].set.length (); i++)
	{
	  site_pointee p = nodes[c->to].set[i];
	  object_store (p.object, offset_add (p.offset, c->to_offset),
			c->from);
	}
      break;
    case MOVE:
      for (unsigned i = 0; i < nodes[c->to].set.length (); i++)
	for (unsigned j = 0; j < nodes[c->from].set.length (); j++)
	  {
	    site_pointee q = nodes[c->to].set[i], p = nodes[c->from].set[j];
	    q.offset = offset_add (q.offset, c->to_offset);
	    p.offset = offset_add (p.offset, c->from_offset);
	    objects_move (q, p, c->size);
	  }
      break;
    case WATCH:
      for (unsigned i = 0; i < nodes[c->from].set.length (); i++)
	{
	  unsigned object = nodes[c->from].set[i].object;
	  tree decl = site_objects[object].decl;
	  bool is_function = site_objects[object].kind == SITE_OBJECT_VARIABLE
			     && TREE_CODE (decl) == FUNCTION_DECL;
	  if (is_function || site_objects[object].kind == SITE_OBJECT_SYMBOL)
	    watcher (c->call, is_function ? decl : NULL_TREE);
	}
      break;
    }
}

static void
constraint_add (constraint_kind kind, unsigned to, HOST_WIDE_INT to_offset,
		unsigned from, HOST_WIDE_INT from_offset, HOST_WIDE_INT size)
{
  if (from == SITE_NOTHING || constraints.length () >= CONSTRAINTS_MAX)
    return;
  constraint c = { kind, to, from, to_offset, from_offset, size, NULL, 0 };
  constraints.safe_push (c);
  changed = true;
}

void
site_copy (unsigned to, unsigned from, HOST_WIDE_INT offset)
{
  if (to != SITE_NOTHING)
    constraint_add (COPY, to, 0, from, offset, 0);
}

void
site_load (unsigned to, unsigned from, HOST_WIDE_INT offset)
{
  if (to != SITE_NOTHING)
    constraint_add (LOAD, to, 0, from, offset, 0);
}

void
site_store (unsigned to, HOST_WIDE_INT offset, unsigned from)
{
  if (to != SITE_NOTHING)
    constraint_add (STORE, to, offset, from, 0, 0);
}

void
site_move (unsigned to, HOST_WIDE_INT to_offset, unsigned from,
	   HOST_WIDE_INT from_offset, HOST_WIDE_INT size)
{
  if (to != SITE_NOTHING)
    constraint_add (MOVE, to, to_offset, from, from_offset, size);
}

void
site_sink (unsigned from, unsigned symbol)
{
  constraint_add (SINK, symbol, 0, from, 0, 0);
}

void
site_watch (unsigned n, gcall *call)
{
  constraint_add (WATCH, 0, 0, n, 0, 0);
  if (!constraints.is_empty () && constraints.last ().kind == WATCH)
    constraints.last ().call = call;
}

/* The sum of the versions of all that C's effect depends on: it grows when any
   does.  */
static uint64_t
constraint_version (const constraint *c)
{
  uint64_t version = nodes[c->from].version + 1;
  if (c->kind == STORE || c->kind == MOVE)
    version += nodes[c->to].version;
  if (c->kind == LOAD || c->kind == MOVE)
    {
      work += nodes[c->from].set.length ();
      for (unsigned i = 0; i < nodes[c->from].set.length (); i++)
	version += site_objects[nodes[c->from].set[i].object].version;
    }
  return version;
}

/* What an object holds goes where the object goes.  */
static void
sinks_spread (void)
{
  for (unsigned o = 0; o < site_objects.length (); o++)
    {
      uint64_t version = site_objects[o].version;
      if (site_objects[o].spread == version)
	continue;
      site_objects[o].spread = version;
      for (unsigned i = 0; i < site_objects[o].sinks.length (); i++)
	for (unsigned j = 0; j < site_objects[o].cells.length (); j++)
	  set_sink (site_objects[o].cells[j].node, site_objects[o].sinks[i]);
    }
}

/* Tell ESCAPED of functions that were put into symbols.  */
static void
functions_escape (void (*escaped) (tree function))
{
  for (unsigned o = 0; o < site_objects.length (); o++)
    if (site_objects[o].kind == SITE_OBJECT_VARIABLE
	&& !site_objects[o].escaped && !site_objects[o].sinks.is_empty ()
	&& TREE_CODE (site_objects[o].decl) == FUNCTION_DECL)
      {
	site_objects[o].escaped = true;
	escaped (site_objects[o].decl);
      }
}

bool
site_solve (void (*watcher) (gcall *call, tree function),
	    void (*escaped) (tree function))
{
  do
    {
      changed = false;
      /* Watchers add constraints.  */
      for (unsigned i = 0; i < constraints.length (); i++)
	{
	  constraint c = constraints[i];
	  uint64_t version = constraint_version (&c);
	  work++;
	  if (version == c.version)
	    continue;
	  constraints[i].version = version;
	  constraint_apply (&c, watcher);
	  if (work > WORK_MAX || constraints.length () >= CONSTRAINTS_MAX)
	    return false;
	}
      sinks_spread ();
      functions_escape (escaped);
    }
  while (changed);
  return true;
}

void
site_cell_set (unsigned object, HOST_WIDE_INT offset, vec<site_pointee> *out)
{
  unsigned n = site_node_new ();
  object_load (n, object, offset);
  for (unsigned i = 0; i < nodes[n].set.length (); i++)
    out->safe_push (nodes[n].set[i]);
}

void
site_graph_begin (void)
{
  variables = new hash_map<tree, unsigned>;
  work = 0;
  site_symbols.truncate (0);
  site_node_new ();
  site_symbol_get (0, "", 0);
}

void
site_graph_end (void)
{
  delete variables;
  variables = NULL;
  for (unsigned i = 0; i < nodes.length (); i++)
    nodes[i].set.release ();
  nodes.release ();
  for (unsigned i = 0; i < site_objects.length (); i++)
    {
      site_objects[i].cells.release ();
      site_objects[i].sinks.release ();
    }
  site_objects.release ();
  constraints.release ();
}
