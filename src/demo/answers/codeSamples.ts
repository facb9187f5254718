export type CodeLanguage =
  | 'typescript'
  | 'python'
  | 'javascript'
  | 'go'
  | 'rust'
  | 'java'
  | 'bash'
  | 'sql'
  | 'html'
  | 'css';

export interface CodeSample {
  readonly asked: RegExp;
  readonly title: readonly [string, string];
  readonly typescript: string;
  readonly python: string;
  /** Below the code; else a word on trying it. */
  readonly notes?: readonly [string, string];
}

/** Small programs people ask for when they try a model. */
export const codeSamples: readonly CodeSample[] = [
  {
    asked: /\bretr(?:y|ies|ied)\b|backoff|重试|退避/i,
    title: ['Calls again after a failure, and waits twice as long each time', '失败后重试，每次等待加倍'],
    typescript: `export async function retry<T>(call: () => Promise<T>, attempts = 4, pauseMs = 500): Promise<T> {\n  for (let attempt = 1; ; attempt += 1) {\n    try {\n      return await call();\n    } catch (error) {\n      if (attempt === attempts) throw error;\n      // Spread out, so that many callers do not come back at once.\n      const wait = pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random());\n      await new Promise((resolve) => setTimeout(resolve, wait));\n    }\n  }\n}`,
    python: `import time\n\n\ndef retry(call, attempts=4, pause=0.5):\n    for attempt in range(attempts):\n        try:\n            return call()\n        except OSError:\n            if attempt + 1 == attempts:\n                raise\n            time.sleep(pause * 2**attempt)`,
    notes: [
      'It gives up after `attempts` calls. Retry only what may safely run twice.',
      '调用 `attempts` 次后放弃。只重试可以安全执行两次的操作。',
    ],
  },
  {
    asked: /fibonacci|斐波那契/i,
    title: ['Fibonacci numbers, one by one and without recursion', '逐个生成斐波那契数，不用递归'],
    typescript: `export function* fibonacci(): Generator<bigint> {\n  let [current, next] = [0n, 1n];\n  for (;;) {\n    yield current;\n    [current, next] = [next, current + next];\n  }\n}`,
    python: `def fibonacci():\n    current, following = 0, 1\n    while True:\n        yield current\n        current, following = following, current + following`,
  },
  {
    asked: /revers\w* (?:a |the )?(?:string|text|word)|反转字符串|字符串反转/i,
    title: ['Reverses text by code points, so that emoji survive', '按码点反转文本，表情符号不会被拆开'],
    typescript: `export const reverse = (text: string): string => [...text].reverse().join('');`,
    python: `def reverse(text: str) -> str:\n    return text[::-1]`,
  },
  {
    asked: /prime|质数|素数/i,
    title: ['Primes up to a limit, by the sieve of Eratosthenes', '用埃拉托斯特尼筛法求不超过上限的质数'],
    typescript: `export function primes(limit: number): number[] {\n  const composite = new Uint8Array(limit + 1);\n  const found: number[] = [];\n  for (let n = 2; n <= limit; n += 1) {\n    if (composite[n]) continue;\n    found.push(n);\n    for (let multiple = n * n; multiple <= limit; multiple += n) composite[multiple] = 1;\n  }\n  return found;\n}`,
    python: `def primes(limit: int) -> list[int]:\n    composite = bytearray(limit + 1)\n    found = []\n    for n in range(2, limit + 1):\n        if composite[n]:\n            continue\n        found.append(n)\n        composite[n * n :: n] = b"\\x01" * len(composite[n * n :: n])\n    return found`,
  },
  {
    asked: /palindrom|回文/i,
    title: ['Tells a palindrome, punctuation and case aside', '判断回文，忽略标点和大小写'],
    typescript: `export function isPalindrome(text: string): boolean {\n  const letters = text.toLowerCase().match(/[\\p{L}\\p{N}]/gu) ?? [];\n  return letters.join('') === letters.reverse().join('');\n}`,
    python: `def is_palindrome(text: str) -> bool:\n    letters = [c for c in text.casefold() if c.isalnum()]\n    return letters == letters[::-1]`,
  },
  {
    asked: /debounc|throttl|防抖|节流/i,
    title: ['Runs only after calls have paused', '调用停顿之后才执行'],
    typescript: `export function debounce<A extends unknown[]>(run: (...args: A) => void, pauseMs: number) {\n  let timer: ReturnType<typeof setTimeout> | undefined;\n  return (...args: A): void => {\n    clearTimeout(timer);\n    timer = setTimeout(() => run(...args), pauseMs);\n  };\n}`,
    python: `import threading\n\ndef debounce(run, pause_seconds: float):\n    timer = None\n    def later(*args):\n        nonlocal timer\n        if timer:\n            timer.cancel()\n        timer = threading.Timer(pause_seconds, run, args)\n        timer.start()\n    return later`,
  },
  {
    asked: /sort|排序/i,
    title: ['Merge sort, stable and without touching its input', '稳定的归并排序，不改动输入'],
    typescript: `export function mergeSort<T>(items: readonly T[], before: (a: T, b: T) => boolean): T[] {\n  if (items.length < 2) return [...items];\n  const middle = items.length >> 1;\n  const [left, right] = [mergeSort(items.slice(0, middle), before), mergeSort(items.slice(middle), before)];\n  const merged: T[] = [];\n  while (left.length > 0 && right.length > 0) {\n    merged.push((before(right[0]!, left[0]!) ? right : left).shift()!);\n  }\n  return [...merged, ...left, ...right];\n}`,
    python: `def merge_sort(items: list, key=lambda item: item) -> list:\n    if len(items) < 2:\n        return list(items)\n    middle = len(items) // 2\n    left, right = merge_sort(items[:middle], key), merge_sort(items[middle:], key)\n    merged = []\n    while left and right:\n        merged.append(right.pop(0) if key(right[0]) < key(left[0]) else left.pop(0))\n    return merged + left + right`,
  },
  {
    asked: /fetch|http|request|api|请求|接口/i,
    title: ['Asks an HTTP service for JSON and says plainly what went wrong', '请求 JSON 接口，并清楚说明失败原因'],
    typescript: `export async function getJson<T>(url: string, signal?: AbortSignal): Promise<T> {\n  const response = await fetch(url, { signal, headers: { accept: 'application/json' } });\n  if (!response.ok) throw new Error(\`\${url} answered \${response.status}\`);\n  return (await response.json()) as T;\n}`,
    python: `import json\nfrom urllib.request import Request, urlopen\n\ndef get_json(url: str, timeout: float = 10):\n    request = Request(url, headers={"Accept": "application/json"})\n    with urlopen(request, timeout=timeout) as response:\n        return json.load(response)`,
  },
  {
    asked: /read|file|csv|文件|读取/i,
    title: ['Reads a file line by line, whatever its size', '逐行读取任意大小的文件'],
    typescript: `import { createReadStream } from 'node:fs';\nimport { createInterface } from 'node:readline';\n\nexport async function* linesOf(path: string): AsyncGenerator<string> {\n  yield* createInterface({ input: createReadStream(path), crlfDelay: Infinity });\n}`,
    python: `from collections.abc import Iterator\n\ndef lines_of(path: str) -> Iterator[str]:\n    with open(path, encoding="utf-8") as file:\n        for line in file:\n            yield line.rstrip("\\n")`,
  },
];

/** How a function named after the question begins in each language; `{name}` and `{says}` are filled in. */
export const codeFrames: Readonly<Record<CodeLanguage, string>> = {
  typescript: `/** {says} */\nexport function {name}(input: readonly string[]): string[] {\n  return input.map((item) => item.trim()).filter((item) => item !== '');\n}\n\nconsole.log({name}([' {first} ', '', '{second}']));`,
  javascript: `/** {says} */\nexport function {name}(input) {\n  return input.map((item) => item.trim()).filter((item) => item !== '');\n}\n\nconsole.log({name}([' {first} ', '', '{second}']));`,
  python: `def {snake}(items: list[str]) -> list[str]:\n    """{says}"""\n    return [item.strip() for item in items if item.strip()]\n\n\nprint({snake}([" {first} ", "", "{second}"]))`,
  go: `package main\n\nimport (\n\t"fmt"\n\t"strings"\n)\n\n// {name}: {says}\nfunc {name}(input []string) []string {\n\tvar kept []string\n\tfor _, item := range input {\n\t\tif trimmed := strings.TrimSpace(item); trimmed != "" {\n\t\t\tkept = append(kept, trimmed)\n\t\t}\n\t}\n\treturn kept\n}\n\nfunc main() {\n\tfmt.Println({name}([]string{" {first} ", "", "{second}"}))\n}`,
  rust: `/// {says}\nfn {snake}(input: &[&str]) -> Vec<String> {\n    input.iter().map(|item| item.trim()).filter(|item| !item.is_empty()).map(String::from).collect()\n}\n\nfn main() {\n    println!("{:?}", {snake}(&[" {first} ", "", "{second}"]));\n}`,
  java: `import java.util.List;\n\nclass Demo {\n    /** {says} */\n    static List<String> {name}(List<String> input) {\n        return input.stream().map(String::strip).filter(item -> !item.isEmpty()).toList();\n    }\n\n    public static void main(String[] args) {\n        System.out.println({name}(List.of(" {first} ", "", "{second}")));\n    }\n}`,
  bash: `#!/usr/bin/env bash\n# {says}\nset -euo pipefail\n\n{snake}() {\n  sed 's/^[[:space:]]*//; s/[[:space:]]*$//' | grep -v '^$'\n}\n\nprintf ' {first} \\n\\n{second}\\n' | {snake}`,
  sql: `-- {says}\nSELECT {first}, COUNT(*) AS how_many\nFROM {second}\nWHERE {first} IS NOT NULL\nGROUP BY {first}\nORDER BY how_many DESC\nLIMIT 20;`,
  html: `<!doctype html>\n<html lang="en">\n  <head>\n    <meta charset="utf-8" />\n    <title>{first}</title>\n  </head>\n  <body>\n    <h1>{first}</h1>\n    <p>{says}</p>\n  </body>\n</html>`,
  css: `/* {says} */\n.{first} {\n  display: grid;\n  gap: 0.75rem;\n  grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr));\n}`,
};
