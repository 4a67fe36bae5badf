/* `ummgr --list WHAT': the policies and profiles that options take, one a line, each with
   what it does; and what other words of options do.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/cli.h"

#include "base/log.h"
#include "device/profile.h"
#include "paging/params.h"
#include "policy/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
put (const char *name, const char *description)
{
  printf ("%-14s %s\n", name, description);
}

static void
put_paging (const struct ummgr_paging_ops *const *all)
{
  for (; *all; all++)
    put ((*all)->name, (*all)->description);
}

/* Words of options that no policy describes.  */
static const struct { const char *option, *word, *about; } words_known[] = {
  { "gpu", "auto", "a real GPU if there is one, else the simulated one" },
  { "gpu", "cuda", "a real GPU" },
  { "gpu", "sim", "the simulated one: results are computed on the host, times are modelled" },
  { "placement", "none", "each simulated GPU is a device of its own" },
  { "placement", "fine", "lines of 128 bytes lie on the GPUs by turns" },
  { "placement", "coarse", "pages of 4K lie on the GPUs by turns" },
  { "placement", "first-touch", "a page lies on the GPU that uses it first" },
  { "placement", "coda", "data lies where the teams run that use it, as the compiler's tables tell" },
  { "scheduling", "auto", "affinity for --placement=coda, else turns" },
  { "scheduling", "turns", "a team runs on the next multiprocessor that has room" },
  { "scheduling", "affinity", "as many neighbouring teams on a GPU as it has at a time, GPUs by turns" },
  { "scheduling", "block", "an equal part of all teams on each GPU, all neighbours" },
  { "scheduling", "steal", "the same, and a GPU with nothing left to do takes teams of others" },
  { "policy", "best", "what no policy can beat: the least time that is possible" },
  { "transfer", "hybrid", "prefetched or on demand, whichever takes an object less time" },
  { "transfer", "explicit", "prefetched before the region" },
  { "transfer", "implicit", "on demand, by page faults" },
  { "partial", "off", "an object is placed as a whole" },
  { "partial", "on", "any object may be placed in parts, by what a region accesses of it" },
  { "partial", "paper", "one object at a time, and its first part on the device" },
  { "partial", "policy", "on under policy rdm, off under others" },
  { "copies", "managed", "managed memory, which can be larger than the device's" },
  { "copies", "plain", "the device's own memory, which is sent as a whole" },
  { "share", "off", "the device has copies of what clauses map" },
  { "share", "on", "what comes when not all fits any more is one for both, where nobody can tell, under policy auto" },
  { "share", "always", "also what would fit" },
  { "spread", "off", "a region runs on its device alone" },
  { "spread", "on", "on all GPUs, and data goes where the compiler says it is used" },
  { "spread", "demand", "on all GPUs, and pages move on demand" },
  { "stream", "off", "a region begins when its data is there" },
  { "stream", "maps", "what a region's own clauses map comes in beside the launches of earlier ranges where there "
    "is no room for it, under policy auto" },
  { "stream", "on", "other data, too, comes in beside the launches of earlier ranges where that is faster" },
  { "stream", "always", "also where that is slower" },
  { "trace-level", "copies", "copies, launches and faults; costs next to nothing" },
  { "trace-level", "accesses", "these, and what instrumented code accesses" },
  { "grain", "page", "accesses are rounded to pages" },
  { "grain", "sector", "accesses are rounded to sectors of 32 bytes" },
  { "fidelity", "touch", "first touches of pages: local and remote bytes are estimates" },
  { "fidelity", "access", "every access, in a GPU's order" },
  { "kernels", "host", "the version of a region that the compiler made for the host" },
  { "kernels", "ptx", "the code that it made for the GPU, translated" },
  { "kernels", "auto", "the GPU's code where accesses are asked for, else the host's" },
  { "ranks", "share", "each rank on a node gets GPUs of its own as its default, as far as there are" },
  { "ranks", "off", "the program chooses" },
  { "hits", "walks", "policies see what the TLB does not serve" },
  { "hits", "none", "policies see faults only, as on today's GPUs" },
  { "color", "auto", "on a terminal, unless NO_COLOR is set or TERM is dumb" },
  { "color", "always", "also in files and pipes" },
  { "color", "never", "nowhere" }
};

const char *
ummgr_cli_describe (const char *option, const char *name)
{
  const struct ummgr_policy_ops *policy
    = strcmp (option, "policy") == 0 ? ummgr_policy_find (name) : NULL;
  const struct ummgr_paging_ops *paging
    = strcmp (option, "evict") != 0 ? NULL
      : strcmp (name, ummgr_paging_ideal.name) == 0 ? &ummgr_paging_ideal : ummgr_paging_find (name);
  if (policy || paging)
    return policy ? policy->description : paging->description;
  for (size_t i = 0; i < sizeof words_known / sizeof *words_known; i++)
    if (strcmp (words_known[i].option, option) == 0 && strcmp (words_known[i].word, name) == 0)
      return words_known[i].about;
  return "";
}

/* The next of WORDS, with spaces between, to NAME; where it goes on, or NULL after the last.  */
static const char *
next_word (const char *words, char name[64])
{
  words += strspn (words, " ");
  size_t n = strcspn (words, " ");
  snprintf (name, 64, "%.*s", (int) n, words);
  return n ? words + n : NULL;
}

void
ummgr_cli_list_words (const char *option, const char *words)
{
  char name[64];
  while ((words = next_word (words, name)))
    {
      const char *about = ummgr_cli_describe (option, name);
      if (*about)
	put (name, about);
      else
	puts (name);
    }
}

static void
put_profile (const char *name, const char *about, void *data)
{
  (void) data;
  put (name, about);
}

static void
put_profiles (void)
{
  struct ummgr_cli_paths paths;
  ummgr_cli_find_paths (&paths);
  const char *set = getenv ("UMMGR_PROFILE_PATH");
  if (*paths.profiles && !(set && *set))
    setenv ("UMMGR_PROFILE_PATH", paths.profiles, 1);
  ummgr_profile_list (put_profile, NULL);
}

int
ummgr_cli_list (const char *what)
{
  static const struct ummgr_paging_ops *const of_driver[] = {
#define UMMGR_PAGING(NAME) &ummgr_paging_##NAME,
#define UMMGR_PAGING_VARIANT(NAME, WORD)
#include "paging/paging.def"
    NULL
  };
  if (what && strcmp (what, "policies") == 0)
    for (size_t i = 0; ummgr_policy_all[i]; i++)
      put (ummgr_policy_all[i]->name, ummgr_policy_all[i]->description);
  else if (what && strcmp (what, "evict") == 0)
    put_paging (of_driver);
  else if (what && strcmp (what, "replay-evict") == 0)
    {
      put_paging (ummgr_paging_all);
      put (ummgr_paging_ideal.name, ummgr_paging_ideal.description);
    }
  else if (what && strcmp (what, "profiles") == 0)
    put_profiles ();
  else
    {
      ummgr_error ("--list: expected policies, profiles, evict or replay-evict");
      return UMMGR_EXIT_FAILURE;
    }
  return 0;
}
