"""Projects of a real size, made for language servers.

Each has a function that every other file calls, and a chain of functions of
which each is called by the next file only.
"""
import json

FILES = 200
CALLS = 2  # of the common function, in each file

C_FILE = """#include "pool.h"

static int mix{i}(int a, int b)
{{
	int sum = a * {i} + b;

	for (int k = 0; k < b; k++)
		sum ^= (sum << 3) + k;
	return sum;
}}

int work{i}(struct pool *pool, int count)
{{
	int first = pool_take(pool, count);
	int second = pool_take(pool, mix{i}(first, count));

	return first + second + {before};
}}
"""
PYTHON_FILE = """from pool import Pool, pool_take
{imports}

def mix{i}(a: int, b: int) -> int:
    total = a * {i} + b
    for k in range(b):
        total ^= (total << 3) + k
    return total


def work{i}(pool: Pool, count: int) -> int:
    first = pool_take(pool, count)
    second = pool_take(pool, mix{i}(first, count))
    return first + second + {before}
"""
TYPESCRIPT_FILE = """import {{ Pool, poolTake }} from "./pool";
{imports}

function mix{i}(a: number, b: number): number {{
  let total = a * {i} + b;
  for (let k = 0; k < b; k++) total ^= (total << 3) + k;
  return total;
}}

export function work{i}(pool: Pool, count: number): number {{
  const first = poolTake(pool, count);
  const second = poolTake(pool, mix{i}(first, count));
  return first + second + {before};
}}
"""


def make_c(root):
    chain = "\n".join(f"int work{i}(struct pool *pool, int count);"
                      for i in range(FILES))
    (root / "pool.h").write_text(
        "#ifndef POOL_H\n#define POOL_H\n\nstruct pool {\n\tint left;\n};\n\n"
        "/* Takes so many from the pool; what is left is told. */\n"
        "int pool_take(struct pool *pool, int count);\n"
        f"{chain}\n\n#endif\n")
    (root / "pool.c").write_text(
        '#include "pool.h"\n\nint pool_take(struct pool *pool, int count)\n{\n'
        "\tpool->left -= count;\n\treturn pool->left;\n}\n")
    for i in range(FILES):
        before = f"work{i - 1}(pool, count)" if i else "0"
        (root / f"work{i}.c").write_text(C_FILE.format(i=i, before=before))
    (root / "compile_commands.json").write_text(json.dumps(
        [{"directory": str(root), "file": path.name,
          "arguments": ["cc", "-std=c17", "-c", path.name]}
         for path in sorted(root.glob("*.c"))]))


def make_python(root):
    (root / "pyrightconfig.json").write_text("{}\n")
    (root / "pool.py").write_text(
        "class Pool:\n    left: int = 0\n\n\n"
        "def pool_take(pool: Pool, count: int) -> int:\n"
        '    """Takes so many from the pool; what is left is told."""\n'
        "    pool.left -= count\n    return pool.left\n")
    for i in range(FILES):
        (root / f"work{i}.py").write_text(PYTHON_FILE.format(
            i=i, before=f"work{i - 1}(pool, count)" if i else "0",
            imports=f"from work{i - 1} import work{i - 1}" if i else ""))


def make_typescript(root):
    (root / "tsconfig.json").write_text(
        '{"compilerOptions": {"strict": true}, "include": ["*.ts"]}\n')
    (root / "pool.ts").write_text(
        "export interface Pool {\n  left: number;\n}\n\n"
        "/** Takes so many from the pool; what is left is told. */\n"
        "export function poolTake(pool: Pool, count: number): number {\n"
        "  pool.left -= count;\n  return pool.left;\n}\n")
    for i in range(FILES):
        name = f"work{i - 1}"
        (root / f"work{i}.ts").write_text(TYPESCRIPT_FILE.format(
            i=i, before=f"{name}(pool, count)" if i else "0",
            imports=f'import {{ {name} }} from "./{name}";' if i else ""))


def place_of(path, word, nth=0):
    """The 0-based line and column of a word."""
    for number, line in enumerate(path.read_text().splitlines()):
        if word in line:
            if not nth:
                return number, line.index(word)
            nth -= 1
    raise RuntimeError(f"{path} has no {word}")
