/* Calls that may reach more than is known, and what may be called so.
   SPDX-License-Identifier: GPL-3.0-or-later

   Of such a call the table says where it stands and what it takes and returns; of a function
   whose address is taken, or that is virtual, what it takes and returns, too: so that it can
   be said of which launches nobody knows.  Holds no state.  */

#include "flow/flow.h"

/* TEXT, which is freed.  */
static unsigned
signature_add (ummgr_strings *strings, char *text)
{
  unsigned offset = ummgr_string_add (strings, text);
  free (text);
  return offset;
}

void
flow_call_write (gcall *call, function *fun, const vec<tree> &targets, ummgr_strings *strings,
		 flow_tables *out)
{
  const char *file;
  unsigned line, column;
  /* In the program's own code, if there is some around.  */
  location_t location = ummgr_location_of_user (gimple_location (call), call, true);
  ummgr_location_get (location, &file, &line, &column);
  bool is_virtual = callee_way_of (call) == CALLEE_VIRTUAL;
  ummgr_call_record r = {};
  r.function = ummgr_string_add (strings, lang_hooks.decl_printable_name (fun->decl, 1));
  r.file = ummgr_string_add (strings, file);
  r.line = line;
  r.kind = is_virtual ? UMMGR_CALL_VIRTUAL : UMMGR_CALL_POINTER;
  r.signature = signature_add (strings, callee_call_signature (call, targets));
  ummgr_bytes_append (&out->calls, &r, sizeof r);
  if (dump_file)
    fprintf (dump_file, ";; ummgr: flow call %s %s:%u %s not all known\n",
	     IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fun->decl)), file, line,
	     is_virtual ? "virtual" : "pointer");
  for (unsigned i = 0; i < targets.length (); i++)
    {
      r.target = ummgr_string_add (strings,
				   IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (targets[i])));
      ummgr_bytes_append (&out->calls, &r, sizeof r);
    }
  if (*file)
    free (const_cast <char *> (file));
}

bool
flow_is_taken (cgraph_node *node)
{
  if (DECL_VIRTUAL_P (node->decl))
    return true;
  /* That libgomp takes the address of an outlined body is no secret.  */
  if (!node->address_taken || strstr (IDENTIFIER_POINTER (DECL_NAME (node->decl)), "._omp_fn"))
    return false;
  /* Of what is defined elsewhere GCC doesn't forget that it once was.  */
  ipa_ref *ref;
  for (unsigned i = 0; node->iterate_referring (i, ref); i++)
    if (ref->use == IPA_REF_ADDR || ref->use == IPA_REF_ALIAS)
      return true;
  return false;
}

void
flow_taken_write (ummgr_strings *strings, flow_tables *out)
{
  cgraph_node *node;
  /* Where no region is near, others say it.  */
  if (out->functions.is_empty ())
    return;
  FOR_EACH_FUNCTION (node)
    {
      tree decl = node->decl;
      if (!flow_is_taken (node) || (!node->definition && flow_is_foreign (decl)))
	continue;
      ummgr_taken_record r = {};
      r.function = ummgr_string_add (strings, IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)));
      r.signature = signature_add (strings, callee_signature (decl));
      r.flags = (TREE_PUBLIC (decl) ? 0 : UMMGR_TAKEN_LOCAL)
		| (DECL_VIRTUAL_P (decl) ? UMMGR_TAKEN_VIRTUAL : 0);
      ummgr_bytes_append (&out->taken, &r, sizeof r);
    }
}
