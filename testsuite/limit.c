/* Run a command and end it when it hangs, on a busy machine as on a quiet one.
   SPDX-License-Identifier: GPL-3.0-or-later

   usage: limit [-s ASLEEP] SECONDS COMMAND [ARGUMENT...]

   timeout(1) counts the time of day, so beside twenty busy processes it ends
   tests that only wait for their turn.  A command is ended here when
   - its processes together have used SECONDS of processor time, or
   - for ASLEEP seconds (90) none of them ran, was ready to run, or waited for a disk:
     then nothing of them will ever come, however long the wait.
   Its processes are those of its process group.  The exit status is the
   command's, 128 + N if signal N ended it, 124 if this program did (it then says
   why), 127 if it could not be run.  */

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct limits
{
  double seconds;
  int asleep;
};

struct sample
{
  unsigned long long ticks;	/* processor time, of waited-for children too */
  int ready;			/* some thread runs, could, or waits for a disk */
};

/* Read /proc/PATH/stat: the state, the group, and the time used so far.  */
static int
stat_read (const char *path, char *state, int *group, unsigned long long *ticks)
{
  char line[1024];
  FILE *f = fopen (path, "r");
  if (!f)
    return -1;
  size_t n = fread (line, 1, sizeof line - 1, f);
  fclose (f);
  line[n] = '\0';
  /* A name may hold anything, so the fields begin behind its last bracket.  */
  const char *p = strrchr (line, ')');
  unsigned long long user, system, children_user, children_system;
  if (!p || sscanf (p + 1, " %c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", state, group, &user,
		    &system, &children_user, &children_system) != 6)
    return -1;
  *ticks = user + system + children_user + children_system;
  return 0;
}

static int
state_ready (char state)
{
  return state == 'R' || state == 'D';
}

/* Whether a thread of process NAME is ready.  */
static int
threads_ready (const char *name)
{
  char path[300];
  snprintf (path, sizeof path, "/proc/%s/task", name);
  DIR *tasks = opendir (path);
  int ready = 0;
  for (struct dirent *t; tasks && !ready && (t = readdir (tasks));)
    {
      char state, thread[600];
      int group;
      unsigned long long ticks;
      snprintf (thread, sizeof thread, "%s/%s/stat", path, t->d_name);
      ready = isdigit ((unsigned char) t->d_name[0])
	      && !stat_read (thread, &state, &group, &ticks) && state_ready (state);
    }
  if (tasks)
    closedir (tasks);
  return ready;
}

static struct sample
group_sample (pid_t wanted)
{
  struct sample s = { 0, 0 };
  DIR *proc = opendir ("/proc");
  for (struct dirent *d; proc && (d = readdir (proc));)
    {
      char path[300], state;
      int group;
      unsigned long long ticks;
      snprintf (path, sizeof path, "/proc/%s/stat", d->d_name);
      if (!isdigit ((unsigned char) d->d_name[0]) || stat_read (path, &state, &group, &ticks) || group != wanted)
	continue;
      s.ticks += ticks;
      s.ready = s.ready || state_ready (state) || threads_ready (d->d_name);
    }
  if (proc)
    closedir (proc);
  return s;
}

static int
group_end (pid_t child, const char *why, double seconds, char *const *command)
{
  fprintf (stderr, "limit: %s %.0f s:", why, seconds);
  for (; *command; command++)
    fprintf (stderr, " %s", *command);
  fprintf (stderr, "\n");
  kill (-child, SIGTERM);
  for (int i = 0; i < 50 && waitpid (child, NULL, WNOHANG) == 0; i++)
    nanosleep (&(struct timespec) { 0, 100000000 }, NULL);
  kill (-child, SIGKILL);
  return 124;
}

/* Wait for CHILD; look after it every second.  */
static int
watch (pid_t child, struct limits limits, const sigset_t *awaited, char *const *command)
{
  double tick = (double) sysconf (_SC_CLK_TCK);
  unsigned long long before = 0;
  int asleep = 0;
  for (;;)
    {
      int status;
      if (waitpid (child, &status, WNOHANG) == child)
	return WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status);
      int sig = sigtimedwait (awaited, NULL, &(struct timespec) { 1, 0 });
      if (sig == SIGCHLD || (sig < 0 && errno != EAGAIN))
	continue;
      if (sig > 0)
	{
	  kill (-child, sig);
	  continue;
	}
      struct sample now = group_sample (child);
      if ((double) now.ticks / tick > limits.seconds)
	return group_end (child, "used more than", limits.seconds, command);
      /* A thread that only wakes up to look at a clock uses a tick or two.  */
      asleep = now.ready || now.ticks > before + 2 ? 0 : asleep + 1;
      before = now.ticks;
      if (asleep >= limits.asleep)
	return group_end (child, "nothing ran for", limits.asleep, command);
    }
}

static int
run (struct limits limits, char *const *command)
{
  sigset_t awaited, old;
  sigemptyset (&awaited);
  sigaddset (&awaited, SIGCHLD);
  sigaddset (&awaited, SIGINT);
  sigaddset (&awaited, SIGTERM);
  sigaddset (&awaited, SIGHUP);
  sigprocmask (SIG_BLOCK, &awaited, &old);
  pid_t child = fork ();
  if (child == 0)
    {
      setpgid (0, 0);
      sigprocmask (SIG_SETMASK, &old, NULL);
      execvp (command[0], command);
      fprintf (stderr, "limit: %s: %s\n", command[0], strerror (errno));
      _exit (127);
    }
  if (child < 0)
    {
      perror ("limit: fork");
      return 125;
    }
  setpgid (child, child);
  return watch (child, limits, &awaited, command);
}

int
main (int argc, char **argv)
{
  struct limits limits = { 0, 90 };
  int opt, bad = 0;
  while ((opt = getopt (argc, argv, "+s:")) >= 0)
    if (opt == 's')
      limits.asleep = atoi (optarg);
    else
      bad = 1;
  if (optind < argc)
    limits.seconds = atof (argv[optind]);
  if (!bad && limits.seconds > 0 && limits.asleep > 0 && optind + 1 < argc)
    return run (limits, argv + optind + 1);
  fprintf (stderr, "usage: limit [-s ASLEEP] SECONDS COMMAND [ARGUMENT...]\n");
  return 125;
}
