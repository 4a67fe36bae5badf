/* How a fault on managed memory gets to fault.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns two userfaultfds, the handler thread, and the actions for SIGBUS and
   SIGSEGV.  The arena is registered with at most one of the two:

     event   the kernel stops the faulting thread and tells the handler
	     thread; works in system calls too (read into managed memory);
	     10 us a fault
     signal  the faulting thread gets SIGBUS and serves itself; a system call
	     would get EFAULT; 3 us a fault

   Pages lie in the memfd's page cache or are entered there first, so that
   both fault kinds, missing and minor, end in UFFDIO_CONTINUE.

   Without the privilege for faults of the kernel (vm.unprivileged_userfaultfd
   is 0 and CAP_SYS_PTRACE is missing) the arena is registered in launches
   only: then what host code does between launches is right but not counted.
   Without userfaultfd, or after the program has closed ours, nothing traps
   and only copies and prefetches count.

   Signals: actions found at start are kept and get what is not ours.  A
   program that installs its own SIGBUS action later takes ours away; that is
   noticed at the next launch, which then uses events.  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "base/descriptor.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#ifndef UFFD_FEATURE_WP_HUGETLBFS_SHMEM
#define UFFD_FEATURE_WP_HUGETLBFS_SHMEM (1 << 12)
#endif
#ifndef USERFAULTFD_IOC_NEW
#define USERFAULTFD_IOC_NEW _IO (0xAA, 0x00)
#endif

static struct ummgr_descriptor event_fd = UMMGR_DESCRIPTOR_NONE;
static struct ummgr_descriptor signal_fd = UMMGR_DESCRIPTOR_NONE;
static bool started, user_only, can_protect, want_protect;
static enum sim_trap_mode mode;
static struct sigaction old_bus, old_segv;
void (*sim_mem_illegal) (uintptr_t address, const void *context);

static void
tell (uintptr_t address, const siginfo_t *info, const void *context)
{
  if (sim_mem_illegal && info->si_code > 0)
    sim_mem_illegal (address, context);
}

/* --- userfaultfd -------------------------------------------------------- */

static void
close_both (void)
{
  ummgr_descriptor_close (&signal_fd);
  ummgr_descriptor_close (&event_fd);
  mode = SIM_TRAP_NONE;
}

/* The descriptor that OWN stands for, or -1: the program has closed it.  Then
   the kernel has let go of the faults, too.  */
static int
use_fd (struct ummgr_descriptor *own)
{
  int fd = ummgr_descriptor_use (own);
  if (fd < 0 && (event_fd.number >= 0 || signal_fd.number >= 0))
    {
      close_both ();
      ummgr_error ("simcuda: " UMMGR_DESCRIPTOR_LOST ": page faults on managed"
		   " memory are not counted from here on");
    }
  return fd;
}

static int
open_fd (bool only_user)
{
  int fd = syscall (SYS_userfaultfd,
		    O_CLOEXEC | (only_user ? UFFD_USER_MODE_ONLY : 0));
  if (fd < 0 && !only_user)
    {
      /* /dev/userfaultfd grants the same by its file mode.  */
      int dev = open ("/dev/userfaultfd", O_RDWR | O_CLOEXEC);
      if (dev >= 0)
	{
	  fd = ioctl (dev, USERFAULTFD_IOC_NEW, O_CLOEXEC);
	  close (dev);
	}
    }
  return fd;
}

static int
make_fd (uint64_t extra, bool *protect_p)
{
  uint64_t wanted = UFFD_FEATURE_MINOR_SHMEM | UFFD_FEATURE_MISSING_SHMEM
		    | extra;
  /* The handshake is once per descriptor: try with, then without.  */
  for (int protect = 1; protect >= 0; protect--)
    {
      int fd = open_fd (user_only);
      if (fd < 0)
	return -1;
      struct uffdio_api api
	= { .api = UFFD_API,
	    .features = wanted
			| (protect ? UFFD_FEATURE_WP_HUGETLBFS_SHMEM : 0) };
      if (ioctl (fd, UFFDIO_API, &api) == 0)
	{
	  *protect_p = protect;
	  return fd;
	}
      close (fd);
    }
  return -1;
}

bool
sim_trap_gpu (void)
{
  return signal_fd.number >= 0;
}

bool
sim_trap_cpu (void)
{
  return signal_fd.number >= 0 && !user_only;
}

enum sim_trap_mode
sim_trap_get (void)
{
  return mode;
}

static int
mode_fd (enum sim_trap_mode m)
{
  return m == SIM_TRAP_NONE ? -1
	 : use_fd (m == SIM_TRAP_EVENT ? &event_fd : &signal_fd);
}

/* The same number without a look at what it stands for, a system call more for each
   fault: for requests on a part of the arena, which anything else refuses and does
   nothing.  Who is refused looks.  */
static int
number_of (enum sim_trap_mode m)
{
  return m == SIM_TRAP_NONE ? -1
    : m == SIM_TRAP_EVENT ? event_fd.number : signal_fd.number;
}

void
sim_trap_set (enum sim_trap_mode to)
{
  if (!sim_trap_gpu () || mode == to || !sim_machine.span)
    return;
  struct uffdio_range range = { sim_machine.arena, sim_machine.span };
  int fd = mode_fd (mode);
  if (fd >= 0 && ioctl (fd, UFFDIO_UNREGISTER, &range) != 0)
    ummgr_warn_once ("simcuda: UFFDIO_UNREGISTER: %s", strerror (errno));
  mode = SIM_TRAP_NONE;
  fd = mode_fd (to);
  if (fd < 0)
    return;
  struct uffdio_register reg
    = { .range = range,
	.mode = UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_MINOR
		| (want_protect ? UFFDIO_REGISTER_MODE_WP : 0) };
  if (ioctl (fd, UFFDIO_REGISTER, &reg) == 0)
    mode = to;
  else
    ummgr_warn_once ("simcuda: UFFDIO_REGISTER: %s: faults on managed"
		     " memory are not counted", strerror (errno));
}

bool
sim_trap_want_protection (void)
{
  if (!can_protect)
    return false;
  if (!want_protect)
    {
      enum sim_trap_mode m = mode;
      sim_trap_set (SIM_TRAP_NONE);
      want_protect = true;
      sim_trap_set (m);
    }
  return true;
}

bool
sim_trap_fill (uintptr_t address, size_t size)
{
  struct uffdio_zeropage zero
    = { .range = { address, size }, .mode = UFFDIO_ZEROPAGE_MODE_DONTWAKE };
  int fd = number_of (mode);
  return fd >= 0 && ioctl (fd, UFFDIO_ZEROPAGE, &zero) == 0;
}

void
sim_trap_map (uintptr_t address, size_t size)
{
  uintptr_t end = address + size;
  int fd;
  while (address < end && (fd = number_of (mode)) >= 0)
    {
      struct uffdio_continue c
	= { .range = { address, end - address },
	    .mode = UFFDIO_CONTINUE_MODE_DONTWAKE };
      if (ioctl (fd, UFFDIO_CONTINUE, &c) == 0)
	return;
      if (c.mapped > 0)
	address += c.mapped;
      else if (errno == EEXIST)
	address += SIM_PAGE;	/* Entered behind our back (view.c).  */
      else if (errno != EAGAIN && errno != EINTR && mode_fd (mode) >= 0)
	{
	  ummgr_error ("simcuda: UFFDIO_CONTINUE of %zu bytes at %p: %s", size,
		       (void *) address, strerror (errno));
	  abort ();
	}
    }
}

void
sim_trap_protect (uintptr_t address, size_t size)
{
  struct uffdio_writeprotect w
    = { .range = { address, size },
	.mode = UFFDIO_WRITEPROTECT_MODE_WP };
  int fd = mode_fd (mode);
  while (fd >= 0 && ioctl (fd, UFFDIO_WRITEPROTECT, &w) != 0
	 && errno == EAGAIN)
    ;
}

/* --- events ------------------------------------------------------------- */

static void
freed_message (uintptr_t address)
{
  ummgr_error ("simcuda: access to managed memory at %p, which is not"
	       " allocated (freed already?)", (void *) address);
}

/* Was the fault of TID at ADDRESS, in freed memory, the first there in a row?
   Events are read in batches, so one may be stale: the page was served, used
   and freed after the fault, and the thread is elsewhere by now.  A thread
   that really touches freed memory faults there again, and then nothing has
   been allocated or freed meanwhile, as it has been before the page can be
   stale once more; threads that go on with that cost retries, as do two that
   share a slot.  Only the event thread comes here.  */
static bool
maybe_stale (int tid, uintptr_t address)
{
  static struct { int tid; uintptr_t page; uint64_t allocations; } last[64];
  unsigned slot = (unsigned) tid % 64;
  uintptr_t page = address & -SIM_PAGE;
  uint64_t allocations = __atomic_load_n (&sim_access_allocations, __ATOMIC_ACQUIRE);
  if (last[slot].tid == tid && last[slot].page == page
      && last[slot].allocations == allocations)
    return false;
  last[slot].tid = tid;
  last[slot].page = page;
  last[slot].allocations = allocations;
  return true;
}

/* As use_fd of events, by who hasn't the lock.  */
static int
use_event_fd (void)
{
  sim_lock ();
  int fd = use_fd (&event_fd);
  sim_unlock ();
  return fd;
}

static void
serve_event (const struct uffd_msg *msg)
{
  if (msg->event != UFFD_EVENT_PAGEFAULT)
    return;
  uintptr_t address = msg->arg.pagefault.address;
  bool write = msg->arg.pagefault.flags
	       & (UFFD_PAGEFAULT_FLAG_WRITE | UFFD_PAGEFAULT_FLAG_WP);
  int tid = msg->arg.pagefault.feat.ptid;
  bool launched = __atomic_load_n (&sim_machine.launch_device,
				   __ATOMIC_RELAXED) >= 0;
  if (sim_fault (address, write, launched && sim_threads_tid_is_gpu (tid), tid)
      == SIM_FAULT_FREED && !maybe_stale (tid, address))
    {
      /* The signal ends the wait of a user-mode access; a system call gets
	 its EFAULT when it is interrupted.  */
      freed_message (address);
      syscall (SYS_tgkill, getpid (), tid, SIGSEGV);
      return;
    }
  struct uffdio_range wake = { address & -SIM_PAGE, SIM_PAGE };
  int fd = use_event_fd ();
  if (fd >= 0)			/* Else all were woken when it was closed.  */
    ioctl (fd, UFFDIO_WAKE, &wake);
}

static void *
event_thread (void *ready)
{
  pthread_setname_np (pthread_self (), "ummgr-sim-fault");
  sim_mem_own_thread (syscall (SYS_gettid));
  sem_post (ready);
  int fd;
  while ((fd = use_event_fd ()) >= 0)
    {
      /* One at a time.  Serving it wakes all threads that wait for its page, or for what is mapped with it; what
	 they had sent is then gone if nobody has read it, and would else be served when their access is long
	 over, and so is, perhaps, the launch that it was of.  */
      struct uffd_msg msg;
      ssize_t n = read (fd, &msg, sizeof msg);
      if (n < 0 && errno != EINTR && errno != EAGAIN)
	return NULL;
      if (n == sizeof msg)
	serve_event (&msg);
    }
  return NULL;
}

/* --- signals ------------------------------------------------------------ */

/* Hand SIG to the action that was there before ours.  */
static void
chain (int sig, siginfo_t *info, void *context, const struct sigaction *old)
{
  if (old->sa_flags & SA_SIGINFO)
    old->sa_sigaction (sig, info, context);
  else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN)
    old->sa_handler (sig);
  else
    {
      /* The access happens again and ends the process.  A signal somebody
	 sent does not come again by itself.  */
      struct sigaction dfl = { .sa_handler = SIG_DFL };
      sigaction (sig, &dfl, NULL);
      if (info->si_code <= 0)
	raise (sig);
    }
}

static bool
is_write (const void *context)
{
#ifdef __x86_64__
  return ((const ucontext_t *) context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
  (void) context;
  return true;			/* The safe guess: it shares nothing.  */
#endif
}

/* Is the interrupted thread, TID, on the GPU's side?  */
static bool
on_gpu_side (const void *context, int tid)
{
  return (sim_plain_keys () ? sim_plain_opened (context)
			    : sim_threads_tid_is_gpu (tid));
}

static void
on_bus (int sig, siginfo_t *info, void *context)
{
  int saved = errno;
  uintptr_t address = (uintptr_t) info->si_addr;
  enum sim_fault_result r = SIM_FAULT_ALIEN;
  if (info->si_code > 0)
    {
      int tid = syscall (SYS_gettid);
      r = sim_fault (address, is_write (context), on_gpu_side (context, tid),
		     tid);
    }
  if (r == SIM_FAULT_FREED)
    freed_message (address);
  else if (r == SIM_FAULT_ALIEN && info->si_code > 0)
    sim_copy_explain (address);
  if (r != SIM_FAULT_DONE)
    {
      tell (address, info, context);
      chain (sig, info, context, &old_bus);
    }
  errno = saved;
}

static void
plain_message (uintptr_t address, int device, bool gpu)
{
  struct sim_alloc a = { .size = 0 };
  if (pthread_mutex_trylock (&sim_machine.lock) == 0)
    {
      struct sim_range *r = sim_range_find (address);
      if (r)
	a = r->alloc;
      sim_unlock ();
    }
  const char *who = gpu ? "a kernel of another device without peer access"
			: "host code";
  if (a.size && gpu && __atomic_load_n (&sim_machine.launch_device, __ATOMIC_RELAXED) == device)
    ummgr_error ("simcuda: a kernel touched a guard at %p on device %d: it uses other data than its tables say",
		 (void *) address, device);
  else if (a.size)
    ummgr_error ("simcuda: %s touched device memory at %p, %zu bytes into an"
		 " allocation of %zu bytes on device %d; %s", who,
		 (void *) address, (size_t) (address - a.base), a.size, device,
		 gpu ? "enable peer access or copy it first"
		     : "map it or copy it first");
  else
    ummgr_error ("simcuda: %s touched device memory at %p, which is not"
		 " allocated on device %d (freed already?)", who,
		 (void *) address, device);
}

static void
on_segv (int sig, siginfo_t *info, void *context)
{
  int saved = errno;
  uintptr_t address = (uintptr_t) info->si_addr;
  int device = sim_machine.up && info->si_code > 0 ? sim_plain_device (address)
						   : SIM_NOWHERE;
  bool again = device >= 0
	       && ((info->si_code == SEGV_ACCERR && sim_watch_touch (address)) || sim_plain_reopen (context, device));
  if (again)
    {
      errno = saved;
      return;
    }
  if (device >= 0)
    plain_message (address, device,
		   sim_machine.launch_device >= 0
		     && on_gpu_side (context, syscall (SYS_gettid)));
  else if (info->si_code > 0)
    sim_copy_explain (address);
  tell (address, info, context);
  chain (sig, info, context, &old_segv);
  errno = saved;
}

bool
sim_trap_signals_ours (int sig)
{
  struct sigaction now;
  return sigaction (sig, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO
	 && now.sa_sigaction == (sig == SIGBUS ? on_bus : on_segv);
}

void
sim_trap_signals (void)
{
  struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
  action.sa_sigaction = on_segv;
  sigaction (SIGSEGV, &action, &old_segv);
  action.sa_sigaction = on_bus;
  sigaction (SIGBUS, &action, &old_bus);
}

/* --- coming up ---------------------------------------------------------- */

static void
start_event_thread (void)
{
  sigset_t all, before;
  pthread_t thread;
  pthread_attr_t attr;
  /* Static: the thread may still be inside sem_post when the wait ends.  */
  static sem_t ready;
  sem_init (&ready, 0, 0);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  pthread_attr_init (&attr);
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  if (pthread_create (&thread, &attr, event_thread, &ready) != 0)
    {
      ummgr_warn ("simcuda: no thread for page faults: faults on managed"
		  " memory are not counted");
      close_both ();
    }
  else
    while (sem_wait (&ready) != 0)
      ;
  pthread_attr_destroy (&attr);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

void
sim_trap_init (void)
{
  if (started)
    return;
  started = true;
  bool protect;
  int fd = make_fd (UFFD_FEATURE_SIGBUS, &protect);
  if (fd < 0)
    {
      user_only = true;
      fd = make_fd (UFFD_FEATURE_SIGBUS, &protect);
    }
  signal_fd = ummgr_descriptor_own (fd);
  if (fd >= 0)
    event_fd
      = ummgr_descriptor_own (make_fd (UFFD_FEATURE_THREAD_ID, &can_protect));
  can_protect &= protect;
  if (signal_fd.number < 0 || event_fd.number < 0)
    {
      ummgr_warn ("simcuda: no userfaultfd with minor faults on shared memory"
		  " (%s): page faults on managed memory are not counted",
		  strerror (errno));
      close_both ();
      return;
    }
  if (user_only)
    ummgr_warn ("simcuda: faults in system calls need privilege: host"
		" accesses to managed memory between launches are not"
		" counted; sysctl vm.unprivileged_userfaultfd=1 allows it");
  start_event_thread ();
}

void
sim_trap_after_fork (void)
{
  close_both ();
}

bool
sim_mem_kernel_faults (void)
{
  sim_lock ();
  sim_trap_init ();
  bool result = sim_trap_cpu ();
  sim_unlock ();
  return result;
}
