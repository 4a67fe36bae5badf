/* One-line defects for a C file in GNU style.
   SPDX-License-Identifier: GPL-3.0-or-later

   mutate FILE      lists them: NUMBER LINE OPERATOR | LINE'S TEXT | ITS NEW TEXT
   mutate FILE N    prints the file with the Nth

   Works on tokens, not on the grammar: the style tells a product from a pointer
   (spaces on both sides).  What does not compile is not a defect that could be
   there; who builds it leaves it out.  Left alone are directives, declarations
   without a value, and what no result depends on: messages, advice to the kernel,
   and which way a branch is expected to go.  */

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NAME, NUMBER, TEXT, PUNCTUATION };

struct token { enum kind kind; size_t start, length; int inside; };

static char *source;
static size_t size;
static struct token *tokens;
static size_t token_count;
static long wanted, made;

static void
die (const char *what)
{
  fprintf (stderr, "mutate: %s\n", what);
  exit (2);
}

static void
read_file (const char *path)
{
  FILE *f = fopen (path, "r");
  if (!f)
    die (path);
  size_t room = 1 << 16, n;
  source = malloc (room + 1);
  while ((n = fread (source + size, 1, room - size, f)) > 0)
    if ((size += n) == room)
      source = realloc (source, (room *= 2) + 1);
  source[size] = 0;
  fclose (f);
}

/* --- Tokens -------------------------------------------------------------- */

static size_t
quoted (size_t i)
{
  char quote = source[i++];
  while (i < size && source[i] != quote)
    i += source[i] == '\\' ? 2 : 1;
  return i + 1;
}

/* The end of a directive and the lines that continue it.  */
static size_t
directive (size_t i)
{
  while (i < size && !(source[i] == '\n' && source[i - 1] != '\\'))
    i++;
  return i;
}

static size_t
punctuation (size_t i)
{
  static const char *const longest[] = {
    "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "->", NULL
  };
  for (int k = 0; longest[k]; k++)
    if (strncmp (source + i, longest[k], strlen (longest[k])) == 0)
      return i + strlen (longest[k]);
  return i + 1;
}

/* Note how many parentheses each token is in.  */
static void
count_parentheses (void)
{
  int inside = 0;
  for (size_t t = 0; t < token_count; t++)
    {
      tokens[t].inside = inside;
      inside += source[tokens[t].start] == '(';
      inside -= source[tokens[t].start] == ')';
    }
}

static void
scan (void)
{
  tokens = malloc ((size + 1) * sizeof *tokens);
  for (size_t i = 0, end; i < size; i = end)
    {
      enum kind kind = PUNCTUATION;
      unsigned char c = source[i];
      end = i + 1;
      if (isspace (c))
	continue;
      if (c == '/' && source[i + 1] == '*')
	{
	  char *close = strstr (source + i + 2, "*/");
	  end = close ? (size_t) (close - source) + 2 : size;
	  continue;
	}
      if (c == '#')
	{
	  end = directive (i);
	  continue;
	}
      if (isalpha (c) || c == '_')
	{
	  kind = NAME;
	  while (isalnum ((unsigned char) source[end]) || source[end] == '_')
	    end++;
	}
      else if (isdigit (c))
	{
	  kind = NUMBER;
	  while (isalnum ((unsigned char) source[end]) || source[end] == '.'
		 || ((source[end] == '-' || source[end] == '+')
		     && source[end - 1] == 'e' && source[i + 1] != 'x'))
	    end++;
	}
      else if (c == '"' || c == '\'')
	{
	  kind = TEXT;
	  end = quoted (i);
	}
      else
	end = punctuation (i);
      tokens[token_count++] = (struct token) { kind, i, end - i, 0 };
    }
}

static bool
is (size_t t, const char *text)
{
  return t < token_count && tokens[t].length == strlen (text)
    && strncmp (source + tokens[t].start, text, tokens[t].length) == 0;
}

static bool
is_any (size_t t, const char *const *texts)
{
  for (; *texts; texts++)
    if (is (t, *texts))
      return true;
  return false;
}

static size_t
end_of (size_t t)
{
  return tokens[t].start + tokens[t].length;
}

/* The token that closes the parenthesis or brace T.  */
static size_t
closing (size_t t)
{
  int depth = 0;
  for (; t < token_count; t++)
    {
      depth += is (t, "(") || is (t, "{") || is (t, "[");
      depth -= is (t, ")") || is (t, "}") || is (t, "]");
      if (depth == 0)
	return t;
    }
  return token_count - 1;
}

/* --- Mutants ------------------------------------------------------------- */

/* LENGTH characters of TEXT with single spaces for what is white.  *SPACE_P: the
   last one printed was one.  */
static void
print_squeezed (const char *text, size_t length, bool *space_p)
{
  for (size_t i = 0; i < length; i++)
    {
      bool space = isspace ((unsigned char) text[i]);
      if (!space)
	putchar (text[i]);
      else if (!*space_p)
	putchar (' ');
      *space_p = space;
    }
}

/* The lines of [START, END), with [FROM, TO) in them replaced by TEXT.  */
static void
print_line (size_t start, size_t end, size_t from, size_t to, const char *text)
{
  bool space = true;
  print_squeezed (source + start, from - start, &space);
  print_squeezed (text, strlen (text), &space);
  print_squeezed (source + to, end - to, &space);
}

/* One mutant: [FROM, TO) becomes TEXT.  */
static void
mutant (const char *operator, size_t from, size_t to, const char *text)
{
  made++;
  if (wanted)
    {
      if (made == wanted)
	printf ("%.*s%s%s", (int) from, source, text, source + to);
      return;
    }
  long line = 1;
  for (size_t i = 0; i < from; i++)
    line += source[i] == '\n';
  size_t start = from, end = to;
  while (start > 0 && source[start - 1] != '\n')
    start--;
  while (end < size && source[end] != '\n')
    end++;
  printf ("%ld %ld %s | ", made, line, operator);
  print_line (start, end, end, end, "");
  fputs (" | ", stdout);
  print_line (start, end, from, to, text);
  putchar ('\n');
}

static void
mutant_token (const char *operator, size_t t, const char *text)
{
  mutant (operator, tokens[t].start, end_of (t), text);
}

/* Of two operands: GNU style has spaces around, and breaks lines before.  */
static bool
is_binary (size_t t)
{
  return isspace ((unsigned char) source[tokens[t].start - 1])
    && source[end_of (t)] == ' ';
}

static void
operators (size_t t)
{
  static const struct { const char *from, *to, *operator; bool binary; } all[] = {
    { "<", "<=", "boundary", true }, { "<=", "<", "boundary", true },
    { ">", ">=", "boundary", true }, { ">=", ">", "boundary", true },
    { "<", ">", "relation", true }, { ">", "<", "relation", true },
    { "==", "!=", "relation", true }, { "!=", "==", "relation", true },
    { "&&", "||", "logic", true }, { "||", "&&", "logic", true },
    { "+", "-", "arithmetic", true }, { "-", "+", "arithmetic", true },
    { "*", "/", "arithmetic", true }, { "/", "*", "arithmetic", true },
    { "%", "/", "arithmetic", true }, { "&", "|", "arithmetic", true },
    { "|", "&", "arithmetic", true }, { "<<", ">>", "arithmetic", true },
    { ">>", "<<", "arithmetic", true }, { "+=", "-=", "arithmetic", true },
    { "-=", "+=", "arithmetic", true }, { "|=", "&=", "arithmetic", true },
    { "&=", "|=", "arithmetic", true }, { "++", "--", "arithmetic", false },
    { "--", "++", "arithmetic", false }, { "!", "", "negation", false }
  };
  if (tokens[t].kind != PUNCTUATION || t == 0)
    return;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (is (t, all[k].from) && (!all[k].binary || is_binary (t)))
      mutant_token (all[k].operator, t, all[k].to);
}

static void
constants (size_t t)
{
  char text[64];
  if (is (t, "true") || is (t, "false"))
    mutant_token ("constant", t, is (t, "true") ? "false" : "true");
  else if (is (t, "0") || is (t, "1"))
    mutant_token ("constant", t, is (t, "0") ? "1" : "0");
  else if (tokens[t].kind == NUMBER && tokens[t].length < 50)
    {
      snprintf (text, sizeof text, "(%.*s + 1)", (int) tokens[t].length,
		source + tokens[t].start);
      mutant_token ("constant", t, text);
    }
}

static void
conditions (size_t t)
{
  if (!is (t, "if") || !is (t + 1, "("))
    return;
  size_t from = end_of (t + 1), to = tokens[closing (t + 1)].start;
  char *text = malloc (to - from + 8);
  sprintf (text, "!(%.*s)", (int) (to - from), source + from);
  mutant ("condition", from, to, text);
  free (text);
}

static size_t
statement_end (size_t t)
{
  for (; t < token_count && !is (t, ";"); t++)
    if (is (t, "(") || is (t, "{") || is (t, "["))
      t = closing (t);
  return t;
}

static void
returns (size_t t)
{
  size_t end = statement_end (t);
  if (!is (t, "return") || end <= t + 1 || end >= token_count)
    return;
  bool zero = end == t + 2 && (is (t + 1, "0") || is (t + 1, "NULL"));
  /* Of constants these are mutants already.  */
  if (end == t + 2 && (is (t + 1, "true") || is (t + 1, "false") || zero
		       || is (t + 1, "1")))
    return;
  /* A constant may be 0 itself.  */
  char text[64] = "0";
  if (end == t + 2 && isupper ((unsigned char) source[tokens[t + 1].start]))
    snprintf (text, sizeof text, "!%.*s", (int) tokens[t + 1].length,
	      source + tokens[t + 1].start);
  mutant ("return", tokens[t + 1].start, tokens[end].start, text);
}

/* Does the parenthesis that T closes follow `if', `for' or `while'?  */
static bool
ends_head (size_t t)
{
  static const char *const heads[] = { "if", "for", "while", NULL };
  size_t open = t;
  while (open > 0 && !(is (open, "(") && tokens[open].inside
		       == tokens[t].inside - 1))
    open--;
  return open > 0 && is_any (open - 1, heads);
}

/* Does a statement begin with token T?  */
static bool
begins_statement (size_t t)
{
  if (t == 0 || is (t - 1, ";") || is (t - 1, "{") || is (t - 1, "}")
      || is (t - 1, "else"))
    return t > 0;
  if (is (t - 1, ":"))
    return is (t - 2, "default") || (t > 2 && is (t - 3, "case"));
  return is (t - 1, ")") && ends_head (t - 1);
}

static void
statements (size_t t)
{
  static const char *const others[] = {
    "if", "else", "for", "while", "do", "return", "switch", "case", "default",
    "struct", "enum", "union", "static", "const", "extern", "goto", "typedef",
    "unsigned", NULL
  };
  /* In parentheses are the parts of a `for'.  */
  if (!begins_statement (t) || tokens[t].inside || is_any (t, others)
      || !(tokens[t].kind == NAME || is (t, "*") || is (t, "(")))
    return;
  size_t end = statement_end (t);
  bool declares = tokens[t].kind == NAME
    && (tokens[t + 1].kind == NAME || (is (t + 1, "*") && !is (t, "*")));
  if (end >= token_count || declares)
    return;
  mutant ("removal", tokens[t].start, tokens[end].start, "");
}

/* The end of the message or the advice that begins with T, or T.  */
static size_t
message_end (size_t t)
{
  static const char *const messages[] = {
    "ummgr_error", "ummgr_warn", "ummgr_warn_once", "ummgr_info",
    "ummgr_debug", "sim_fatal", "madvise", NULL
  };
  return is_any (t, messages) ? statement_end (t) : t;
}

/* Is T what a branch is expected to be?  */
static bool
is_expected (size_t t)
{
  static size_t expected;
  if (is (t, "__builtin_expect"))
    expected = closing (t + 1) - 1;
  return expected && t == expected;
}

int
main (int argc, char **argv)
{
  if (argc < 2 || argc > 3)
    die ("usage: mutate FILE [N]");
  wanted = argc > 2 ? atol (argv[2]) : 0;
  read_file (argv[1]);
  scan ();
  count_parentheses ();
  for (size_t t = 0; t < token_count; t++)
    {
      size_t end = message_end (t);
      if (end != t)
	{
	  t = end;
	  continue;
	}
      if (is_expected (t))
	continue;
      operators (t);
      constants (t);
      conditions (t);
      returns (t);
      statements (t);
    }
  if (wanted > made)
    die ("no mutant of that number");
  return 0;
}
