import type { Question } from './question';

interface Program {
  readonly pattern: RegExp;
  readonly title: readonly [en: string, zh: string];
  readonly typescript: string;
  readonly python: string;
  readonly notes?: readonly [en: string, zh: string];
}

/** Small programs that people ask for when they try out a model. */
const programs: readonly Program[] = [
  {
    pattern: /merg\w+ (?:\w+ )*?sorted|sorted (?:lists?|arrays?).*merg|合并.*有序|有序.*合并/i,
    title: ['Merges two sorted lists into one sorted list', '把两个有序列表合并成一个有序列表'],
    python: `def merge_sorted(left: list, right: list) -> list:\n    """Merges two sorted lists into one sorted list."""\n    merged = []\n    i = j = 0\n    while i < len(left) and j < len(right):\n        if left[i] <= right[j]:\n            merged.append(left[i])\n            i += 1\n        else:\n            merged.append(right[j])\n            j += 1\n    return merged + left[i:] + right[j:]\n\n\nprint(merge_sorted([1, 4, 9], [2, 3, 10]))  # [1, 2, 3, 4, 9, 10]`,
    typescript: `/** Merges two sorted arrays into one sorted array. */\nexport function mergeSorted(left: readonly number[], right: readonly number[]): number[] {\n  const merged: number[] = [];\n  let [i, j] = [0, 0];\n  while (i < left.length && j < right.length) {\n    merged.push(left[i]! <= right[j]! ? left[i++]! : right[j++]!);\n  }\n  return [...merged, ...left.slice(i), ...right.slice(j)];\n}\n\nconsole.log(mergeSorted([1, 4, 9], [2, 3, 10])); // [1, 2, 3, 4, 9, 10]`,
    notes: [
      'It looks at each item once, so it takes O(n + m) time. Equal items keep their order, with those of `left` first.',
      '每个元素只看一次，时间复杂度为 O(n + m)。相等的元素保持原有顺序，`left` 的在前。',
    ],
  },
  {
    pattern: /\bretr(?:y|ies|ied)\b|backoff|重试|退避/i,
    title: ['Retries a call and doubles the wait each time', '失败后重试，每次等待时间加倍'],
    typescript: `export async function retry<T>(call: () => Promise<T>, attempts = 4, pauseMs = 500): Promise<T> {\n  for (let attempt = 1; ; attempt += 1) {\n    try {\n      return await call();\n    } catch (error) {\n      if (attempt === attempts) throw error;\n      // A random share of the wait keeps many callers from returning at the same time.\n      const wait = pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random());\n      await new Promise((resolve) => setTimeout(resolve, wait));\n    }\n  }\n}`,
    python: `import time\n\n\ndef retry(call, attempts=4, pause=0.5):\n    for attempt in range(attempts):\n        try:\n            return call()\n        except OSError:\n            if attempt + 1 == attempts:\n                raise\n            time.sleep(pause * 2**attempt)`,
    notes: [
      'It gives up after `attempts` calls. Retry only calls that can safely run twice.',
      '调用 `attempts` 次后放弃。只重试可以安全执行两次的调用。',
    ],
  },
  {
    pattern: /hello,? ?world|你好,?，?世界/i,
    title: ['Hello, world', '你好，世界'],
    typescript: `console.log('Hello, world!');`,
    python: `print("Hello, world!")`,
  },
  {
    pattern: /\bquick ?sort|快速排序|快排/i,
    title: ['Sorts numbers (quicksort)', '对数字排序（快速排序）'],
    typescript: `export function quicksort(numbers: readonly number[]): number[] {\n  const [pivot, ...others] = numbers;\n  if (pivot === undefined) return [];\n  const smaller = others.filter((number) => number < pivot);\n  const larger = others.filter((number) => number >= pivot);\n  return [...quicksort(smaller), pivot, ...quicksort(larger)];\n}\n\nconsole.log(quicksort([3, 6, 1, 8, 2])); // [1, 2, 3, 6, 8]`,
    python: `def quicksort(numbers: list) -> list:\n    if not numbers:\n        return []\n    pivot, *others = numbers\n    smaller = [number for number in others if number < pivot]\n    larger = [number for number in others if number >= pivot]\n    return quicksort(smaller) + [pivot] + quicksort(larger)\n\n\nprint(quicksort([3, 6, 1, 8, 2]))  # [1, 2, 3, 6, 8]`,
  },
  {
    pattern: /fibonacci|斐波那契/i,
    title: ['Fibonacci numbers without recursion', '不用递归生成斐波那契数'],
    typescript: `export function* fibonacci(): Generator<bigint> {\n  let [current, next] = [0n, 1n];\n  for (;;) {\n    yield current;\n    [current, next] = [next, current + next];\n  }\n}`,
    python: `def fibonacci():\n    current, following = 0, 1\n    while True:\n        yield current\n        current, following = following, current + following`,
  },
  {
    pattern: /\bfizz ?buzz\b/i,
    title: ['FizzBuzz', 'FizzBuzz'],
    typescript: `for (let n = 1; n <= 100; n += 1) {\n  const word = (n % 3 === 0 ? 'Fizz' : '') + (n % 5 === 0 ? 'Buzz' : '');\n  console.log(word === '' ? n : word);\n}`,
    python: `for n in range(1, 101):\n    print("Fizz" * (n % 3 == 0) + "Buzz" * (n % 5 == 0) or n)`,
  },
  {
    pattern: /\brevers\w+\b.*\bstrings?\b|(?:反转|翻转|倒序)[^。？]*字符串|字符串[^。？]*(?:反转|翻转|倒序)/i,
    title: ['Reverses a text by its characters', '按字符反转文本'],
    typescript: `export function reversed(text: string): string {\n  return Array.from(text).toReversed().join('');\n}\n\nconsole.log(reversed('desk')); // ksed`,
    python: `def reversed_text(text: str) -> str:\n    return text[::-1]\n\n\nprint(reversed_text("desk"))  # ksed`,
  },
  {
    pattern: /\b(?:is|checks?|tests?|whether|if)\b.*\bprime\b|(?:是否|判断|检查)[^。？]*(?:质数|素数)/i,
    title: ['Whether a number is prime', '判断一个数是否为质数'],
    typescript: `export function isPrime(number: number): boolean {\n  if (!Number.isInteger(number) || number < 2) return false;\n  for (let divisor = 2; divisor * divisor <= number; divisor += 1) {\n    if (number % divisor === 0) return false;\n  }\n  return true;\n}\n\nconsole.log(isPrime(97)); // true`,
    python: `def is_prime(number: int) -> bool:\n    if number < 2:\n        return False\n    divisor = 2\n    while divisor * divisor <= number:\n        if number % divisor == 0:\n            return False\n        divisor += 1\n    return True\n\n\nprint(is_prime(97))  # True`,
  },
  {
    pattern: /\bprimes?\b|质数|素数/i,
    title: ['Primes up to a limit (sieve of Eratosthenes)', '不超过上限的质数（埃拉托斯特尼筛法）'],
    typescript: `export function primes(limit: number): number[] {\n  const composite = new Uint8Array(limit + 1);\n  const found: number[] = [];\n  for (let n = 2; n <= limit; n += 1) {\n    if (composite[n]) continue;\n    found.push(n);\n    for (let multiple = n * n; multiple <= limit; multiple += n) composite[multiple] = 1;\n  }\n  return found;\n}`,
    python: `def primes(limit: int) -> list[int]:\n    composite = bytearray(limit + 1)\n    found = []\n    for n in range(2, limit + 1):\n        if composite[n]:\n            continue\n        found.append(n)\n        composite[n * n :: n] = b"\\x01" * len(composite[n * n :: n])\n    return found`,
  },
];

export const retryInPython = programs.find(({ pattern }) => pattern.test('retry'))?.python ?? '';

const wantsProgram =
  /\b(?:write|show|give|make|create|implement|generate|code|example|how)\b.*\b(?:code|function|script|program|snippet|class|implementation|typescript|javascript|python)\b|\b(?:write|show|give|code|implement)\b.*\b(?:hello,? world|quick ?sort|fizz ?buzz)\b|\b(?:in|using|with) (?:python|typescript|javascript)\b|(?:写|编写|实现|示例|例子).*(?:代码|函数|程序|脚本|排序|快排)|用 ?(?:python|typescript|javascript)/i;
const otherLanguage =
  /\b(rust|golang|go|java|kotlin|swift|ruby|php|bash|shell|sql|html|css|c\+\+|c#|perl|lua)(?![\w+#])/i;

/** Answers with one of a few prepared programs in Python or TypeScript; `undefined` if the question asks for another. */
export function answerProgram({ ask, material, say }: Question): string | undefined {
  if (material !== '' || ask.length > 400 || !wantsProgram.test(ask)) return undefined;
  const program = programs.find(({ pattern }) => pattern.test(ask));
  const isPython = /\bpython\b|\bpy\b/i.test(ask);
  if (program === undefined || (otherLanguage.test(ask) && !isPython && !/\b(?:type|java)script\b/i.test(ask)))
    return undefined;
  const language = isPython ? 'python' : 'typescript';
  return [
    /\b(?:javascript|js)\b/i.test(ask) && !isPython
      ? say(`${program.title[0]}, in TypeScript:`, `${program.title[1]}，使用 TypeScript：`)
      : say(`${program.title[0]}:`, `${program.title[1]}：`),
    `\`\`\`${language}\n${program[language]}\n\`\`\``,
    ...(program.notes === undefined ? [] : [say(...program.notes)]),
  ].join('\n\n');
}
