/* Which threads are the GPU's side, and which host threads may run.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the list of the process's threads as last seen.  A thread that
   appears while a launch runs is taken for one that the kernel's team made,
   until it calls the driver (a host thread that another host thread makes just
   then is mistaken so long; it only matters where protection keys, which are
   inherited, cannot tell).
   Threads that idle in the driver, and the memory half's own, run no host
   code: while there are no others, faults may use signals (trap.c).  */

#include "config.h"
#include "simcuda/memory/mem.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum class
{
  THREAD_HOST,
  THREAD_GPU,			/* Came in a launch.  */
  THREAD_OWN			/* The memory half's.  */
};

struct thread
{
  int tid;
  enum class class;
};

/* Guarded by list_lock: the handler thread reads it while a launch begins. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *list;
static int listed, room;
static int begin_count;
static int launcher;		/* Thread that runs the launch.  */
static int idle;		/* Host threads in the driver (atomic).  */
static bool ever_idle;		/* Does any thread ever say so?  (Atomic.)  */
static _Thread_local int is_idle;
static _Thread_local bool said_gpu;

static int
count_threads (void)
{
  struct stat st;
  return stat ("/proc/self/task", &st) == 0 ? (int) st.st_nlink - 2 : 1 << 20;
}

static struct thread *
find (int tid)
{
  for (int i = 0; i < listed; i++)
    if (list[i].tid == tid)
      return &list[i];
  return NULL;
}

static bool
add (int tid, enum class class)
{
  if (listed == room)
    {
      int more = room ? 2 * room : 32;
      struct thread *grown = realloc (list, more * sizeof *list);
      if (!grown)
	return false;
      list = grown;
      room = more;
    }
  list[listed++] = (struct thread) { tid, class };
  return true;
}

/* Bring the list up to date: the dead leave it, the new are of CLASS.  */
static void
scan (enum class class)
{
  DIR *dir = opendir ("/proc/self/task");
  if (!dir)
    return;
  int kept = listed;
  struct thread *old = list;
  list = NULL;
  listed = room = 0;
  struct dirent *e;
  while ((e = readdir (dir)))
    {
      int tid = atoi (e->d_name);
      if (!tid)
	continue;
      enum class c = class;
      for (int i = 0; i < kept; i++)
	if (old[i].tid == tid)
	  c = old[i].class;
      add (tid, c);
    }
  closedir (dir);
  free (old);
}

void
sim_mem_own_thread (int tid)
{
  pthread_mutex_lock (&list_lock);
  struct thread *t = find (tid);
  if (t)
    t->class = THREAD_OWN;
  else
    add (tid, THREAD_OWN);
  pthread_mutex_unlock (&list_lock);
}

/* Threads of CLASS.  */
static int
count_class (enum class class)
{
  int n = 0;
  for (int i = 0; i < listed; i++)
    n += list[i].class == class;
  return n;
}

static int
running_now (void)
{
  int total = count_threads ();
  pthread_mutex_lock (&list_lock);
  if (total != listed)
    scan (THREAD_HOST);
  int known = count_class (THREAD_GPU) + count_class (THREAD_OWN);
  pthread_mutex_unlock (&list_lock);
  /* The caller is about to be the GPU's side.  */
  return total - known - __atomic_load_n (&idle, __ATOMIC_ACQUIRE)
	 - !is_idle;
}

/* The thread that asked for the launch enters the driver to wait for it a
   moment later: worth a moment's patience, since signals are three times as
   fast as events for the whole launch.  */
int
sim_threads_running (void)
{
  int n = running_now ();
  bool ever = __atomic_load_n (&ever_idle, __ATOMIC_RELAXED);
  for (int i = 0; i < 30 && n == 1 && ever; i++)
    {
      sched_yield ();
      n = running_now ();
    }
  return n;
}

void
sim_threads_begin (void)
{
  begin_count = count_threads ();
  pthread_mutex_lock (&list_lock);
  if (begin_count != listed)
    scan (THREAD_HOST);
  launcher = syscall (SYS_gettid);
  pthread_mutex_unlock (&list_lock);
}

void
sim_threads_end (void)
{
  int count = count_threads ();
  pthread_mutex_lock (&list_lock);
  if (count != begin_count)
    scan (THREAD_GPU);
  launcher = 0;
  pthread_mutex_unlock (&list_lock);
}

bool
sim_threads_tid_is_gpu (int tid)
{
  pthread_mutex_lock (&list_lock);
  struct thread *t = find (tid);
  bool gpu = tid == launcher || !t || t->class == THREAD_GPU;
  pthread_mutex_unlock (&list_lock);
  return gpu;
}

void
sim_mem_thread_idle (bool on)
{
  if (is_idle == on)
    return;
  is_idle = on;
  __atomic_store_n (&ever_idle, true, __ATOMIC_RELAXED);
  __atomic_add_fetch (&idle, on ? 1 : -1, __ATOMIC_RELEASE);
  if (!on)
    sim_launch_host_runs ();
}

void
sim_mem_thread_is_gpu (bool gpu)
{
  if (said_gpu == gpu)
    return;
  said_gpu = gpu;
  int tid = syscall (SYS_gettid);
  pthread_mutex_lock (&list_lock);
  struct thread *t = find (tid);
  if (t)
    t->class = gpu ? THREAD_GPU : THREAD_HOST;
  else
    add (tid, gpu ? THREAD_GPU : THREAD_HOST);
  pthread_mutex_unlock (&list_lock);
  /* Without keys the launch has opened the memory to all, until it ends.  */
  if (sim_plain_keys ())
    sim_launch_open (gpu);
}

bool
sim_mem_on_gpu (void)
{
  if (__atomic_load_n (&sim_machine.launch_device, __ATOMIC_RELAXED) < 0)
    return false;
  return (sim_plain_keys () ? sim_plain_opened (NULL)
			    : sim_threads_tid_is_gpu (syscall (SYS_gettid)));
}

void
sim_threads_calls (void)
{
  int tid = syscall (SYS_gettid);
  pthread_mutex_lock (&list_lock);
  struct thread *t = find (tid);
  if (!t)
    add (tid, THREAD_HOST);
  else if (t->class == THREAD_GPU && !said_gpu)
    t->class = THREAD_HOST;
  pthread_mutex_unlock (&list_lock);
}

void
sim_threads_after_fork (void)
{
  pthread_mutex_init (&list_lock, NULL);
  listed = 0;
  idle = 0;
}
