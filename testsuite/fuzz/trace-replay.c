/* `ummgr replay' and `ummgr classify': a trace under every policy.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz-trace.h"
#include "replay/classify.h"
#include "replay/evict.h"
#include "replay/bound.h"
#include "replay/policies.h"
#include "device/profile.h"

/* Pages, under each replacement policy.  */
static void
replay_pages (const char *path)
{
  static const char *const policies[] = {
#define UMMGR_PAGING(NAME) #NAME,
#define UMMGR_PAGING_VARIANT(NAME, WORD) WORD,
#include "paging/paging.def"
    "ideal"
  };
  enum { COUNT = sizeof policies / sizeof *policies };
  struct ummgr_replay_case cases[COUNT] = { 0 };
  struct ummgr_replay_options options = {
    .pages = { .tlb = { { 16, 4 }, { 2, 2 }, 3 }, .device = -1 },
    .hits = UMMGR_REPLAY_HITS_WALKS
  };
  for (int i = 0; i < COUNT; i++)
    {
      cases[i].policy = policies[i];
      cases[i].part = 0.5;
    }
  ummgr_replay_evict (path, &options, cases, COUNT, NULL);
}

/* Objects, under each policy, on a GPU with little memory.  */
static void
replay_objects (const char *path)
{
  static struct ummgr_profile profile;
  struct ummgr_replay_run runs[16] = { 0 };
  size_t count = 0;
  struct ummgr_page_options options = { .device = -1 };
  if (!profile.device_count)
    CHECK (ummgr_profile_find (UMMGR_TEST_PROFILES "/v100-nvlink2.conf",
			     &profile));
  profile.device[0].memory_bytes = 8 << 20;
  for (size_t i = 0; ummgr_policy_all[i]; i++)
    if (!ummgr_policy_all[i]->passive)
      {
	runs[count] = (struct ummgr_replay_run) {
	  .policy = ummgr_policy_all[i]->name, .transfer = "hybrid",
	  .evict = count % 2 ? "lru" : "hint", .partial = "on",
	  .device = profile.device[0]
	};
	count++;
      }
  if (ummgr_bound_available ())
    runs[count++] = (struct ummgr_replay_run) {
      .policy = "best", .evict = "lru", .device = profile.device[0]
    };
  ummgr_replay_policies (path, &options, runs, count, NULL);
}

static void
fuzz_one (const unsigned char *bytes, size_t size)
{
  const char *path = fuzz_trace (bytes, size);
  struct ummgr_page_options options = { 16, 4, -1, false, 0 };
  struct ummgr_classified *classified;
  replay_pages (path);
  replay_objects (path);
  if (!ummgr_classify (path, &options, &classified))
    ummgr_classified_free (classified);
}
