// What git.exe asks of a shell when a remote is a path: `sh -c "git-receive-pack 'PATH'"`. Words, quotes and backslashes
// are understood, anything else of a shell is refused.
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* words[64];

static int split(const char* text) {
    int count = 0;
    while (*text) {
        while (*text == ' ') {
            ++text;
        }
        if (!*text) {
            break;
        }
        char* word = calloc(1, strlen(text) + 1);
        size_t size = 0;
        for (; *text && *text != ' '; ++text) {
            if (*text == '\'') {
                for (++text; *text && *text != '\''; ++text) {
                    word[size++] = *text;
                }
                if (!*text) {
                    return -1;
                }
            } else if (*text == '\\' && text[1]) {
                word[size++] = *++text;
            } else if (strchr("\"$`|&;<>()*?[#~=%\n", *text)) {
                return -1;
            } else {
                word[size++] = *text;
            }
        }
        if (count == 63) {
            return -1;
        }
        words[count++] = word;
    }
    return count;
}

// The C runtime joins arguments by blanks: each one is quoted for the other side's parser.
static char* quoted(const char* text) {
    char* result = calloc(1, 2 * strlen(text) + 3);
    char* out = result;
    size_t backslashes = 0;
    *out++ = '"';
    for (; *text; ++text) {
        if (*text == '"') {
            for (; backslashes > 0; --backslashes) {
                *out++ = '\\';
            }
            *out++ = '\\';
        }
        backslashes = *text == '\\' ? backslashes + 1 : 0;
        *out++ = *text;
    }
    for (; backslashes > 0; --backslashes) {
        *out++ = '\\';
    }
    *out = '"';
    return result;
}

int main(int argc, char** argv) {
    if (argc < 3 || strcmp(argv[1], "-c") != 0 || split(argv[2]) < 1) {
        fprintf(stderr, "sh: only words are understood: %s\n", argc < 3 ? "" : argv[2]);
        return 127;
    }
    char* quoted_words[64] = {0};
    for (int i = 0; words[i]; ++i) {
        quoted_words[i] = quoted(words[i]);
    }
    const intptr_t code = _spawnvp(_P_WAIT, words[0], (const char* const*)quoted_words);
    if (code == -1) {
        fprintf(stderr, "sh: cannot run %s\n", words[0]);
        return 127;
    }
    return (int)code;
}
