export interface CodeSample {
  readonly asked: RegExp;
  readonly title: readonly [string, string];
  readonly typescript: string;
  readonly python: string;
  /** Text below the code; by default a hint on how to try it. */
  readonly notes?: readonly [string, string];
}

/** Small programs that people ask for when they try out a model. */
export const codeSamples: readonly CodeSample[] = [
  {
    asked: /merg\w+ (?:\w+ )*?sorted|sorted (?:lists?|arrays?).*merg|合并.*有序|有序.*合并/i,
    title: ['Merges two sorted lists into one sorted list', '把两个有序列表合并成一个有序列表'],
    python: `def merge_sorted(left: list, right: list) -> list:\n    """Merges two sorted lists into one sorted list."""\n    merged = []\n    i = j = 0\n    while i < len(left) and j < len(right):\n        if left[i] <= right[j]:\n            merged.append(left[i])\n            i += 1\n        else:\n            merged.append(right[j])\n            j += 1\n    return merged + left[i:] + right[j:]\n\n\nprint(merge_sorted([1, 4, 9], [2, 3, 10]))  # [1, 2, 3, 4, 9, 10]`,
    typescript: `/** Merges two sorted arrays into one sorted array. */\nexport function mergeSorted(left: readonly number[], right: readonly number[]): number[] {\n  const merged: number[] = [];\n  let [i, j] = [0, 0];\n  while (i < left.length && j < right.length) {\n    merged.push(left[i]! <= right[j]! ? left[i++]! : right[j++]!);\n  }\n  return [...merged, ...left.slice(i), ...right.slice(j)];\n}\n\nconsole.log(mergeSorted([1, 4, 9], [2, 3, 10])); // [1, 2, 3, 4, 9, 10]`,
    notes: [
      'It looks at each item once, so it takes O(n + m) time. Equal items keep their order, those of `left` first.',
      '每个元素只看一次，时间复杂度为 O(n + m)；相等的元素保持原有顺序，`left` 的在前。',
    ],
  },
  {
    asked: /\bhello,? world\b/i,
    title: ['Hello, world', 'Hello, world'],
    typescript: `console.log('Hello, world');`,
    python: `print("Hello, world")`,
  },
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
    asked: /\bprimes?\b|质数|素数/i,
    title: ['Primes up to a limit, by the sieve of Eratosthenes', '用埃拉托斯特尼筛法求不超过上限的质数'],
    typescript: `export function primes(limit: number): number[] {\n  const composite = new Uint8Array(limit + 1);\n  const found: number[] = [];\n  for (let n = 2; n <= limit; n += 1) {\n    if (composite[n]) continue;\n    found.push(n);\n    for (let multiple = n * n; multiple <= limit; multiple += n) composite[multiple] = 1;\n  }\n  return found;\n}`,
    python: `def primes(limit: int) -> list[int]:\n    composite = bytearray(limit + 1)\n    found = []\n    for n in range(2, limit + 1):\n        if composite[n]:\n            continue\n        found.append(n)\n        composite[n * n :: n] = b"\\x01" * len(composite[n * n :: n])\n    return found`,
  },
  {
    asked: /\bfetch(?:es)?\b|\bget(?:s)? json\b|\bhttp (?:get|request|service|client)\b|请求.*JSON|调用.*接口/i,
    title: ['Asks an HTTP service for JSON and says plainly what went wrong', '请求 JSON 接口，并清楚说明失败原因'],
    typescript: `export async function getJson<T>(url: string, signal?: AbortSignal): Promise<T> {\n  const response = await fetch(url, { signal, headers: { accept: 'application/json' } });\n  if (!response.ok) throw new Error(\`\${url} answered \${response.status}\`);\n  return (await response.json()) as T;\n}`,
    python: `import json\nfrom urllib.request import Request, urlopen\n\ndef get_json(url: str, timeout: float = 10):\n    request = Request(url, headers={"Accept": "application/json"})\n    with urlopen(request, timeout=timeout) as response:\n        return json.load(response)`,
  },
  {
    asked: /\bread(?:s|ing)?\b(?!.*\b(?:csv|json|excel|pdf|xml)\b).*\b(?:file|lines?)\b|逐行|读取.*文件/i,
    title: ['Reads a file line by line, whatever its size', '逐行读取任意大小的文件'],
    typescript: `import { createReadStream } from 'node:fs';\nimport { createInterface } from 'node:readline';\n\nexport async function* linesOf(path: string): AsyncGenerator<string> {\n  yield* createInterface({ input: createReadStream(path), crlfDelay: Infinity });\n}`,
    python: `from collections.abc import Iterator\n\ndef lines_of(path: str) -> Iterator[str]:\n    with open(path, encoding="utf-8") as file:\n        for line in file:\n            yield line.rstrip("\\n")`,
  },
];
