import { strict as assert } from 'node:assert';
import { placeCode } from '../../../../src/core/edits/placeCode';

const rows = `import json

def parse_rows(chunks):
    rest = ""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split("\\n")
        yield from map(json.loads, lines)

def count(chunks):
    return sum(1 for _ in parse_rows(chunks))
`;

const cart = `import { price } from './price';

const rate = 0.2;

export class Cart {
  private items: Item[] = [];

  add(item: Item): void {
    this.items.push(item);
  }

  total(): number {
    let sum = 0;
    for (const item of this.items) {
      sum += price(item);
    }
    return sum;
  }
}

export function tax(cart: Cart): number {
  return cart.total() * rate;
}
`;

function place(file: string, code: string, more: Partial<Parameters<typeof placeCode>[1]> = {}) {
  return placeCode(file, { code, language: 'ts', isComplete: true, ...more });
}

function textOf(placement: ReturnType<typeof placeCode>): string {
  assert.equal(placement.kind, 'edit', JSON.stringify(placement));
  return placement.kind === 'edit' ? placement.text : '';
}

function problemOf(placement: ReturnType<typeof placeCode>): string {
  return placement.kind === 'unplaced' ? placement.why : placement.kind;
}

describe('placing the code of an answer', () => {
  describe('a complete file', () => {
    it('replaces the file if a name was changed everywhere', () => {
      const code = rows.replaceAll('parse_rows', 'read_rows');
      assert.equal(textOf(place(rows, code, { language: 'python' })), code);
    });

    it('replaces a file with one class if a method was renamed', () => {
      const file = 'public class A {\n    int size() {\n        return n;\n    }\n\n    int n;\n}\n';
      const code = file.replace('size()', 'length()');
      assert.equal(textOf(place(file, code, { language: 'java' })), code);
    });

    it('keeps line endings, a byte-order mark, and a missing final newline', () => {
      const file = `\uFEFF${rows.trimEnd().replaceAll('\n', '\r\n')}`;
      const code = rows.replaceAll('parse_rows', 'read_rows');
      assert.equal(textOf(place(file, code)), `\uFEFF${code.trimEnd().replaceAll('\n', '\r\n')}`);
    });

    it("isn't accepted from an answer that ended within it", () => {
      const code = rows.replaceAll('parse_rows', 'read_rows');
      assert.equal(problemOf(place(rows, code, { isComplete: false })), 'truncated');
      assert.equal(problemOf(place(rows, rows.slice(0, 90), { isComplete: false })), 'truncated');
    });

    it('fills an empty file', () => {
      assert.equal(textOf(place('', 'a\nb\n')), 'a\nb\n');
    });

    it('causes no change if it is the same', () => {
      assert.equal(place(cart, cart).kind, 'unchanged');
    });

    it('can omit a function between others', () => {
      const file = ['a', 'b', 'c', 'd', 'e'].map((name) => `function ${name}() {\n  return '${name}';\n}\n`).join('\n');
      const code = ['a', 'b', 'd', 'e'].map((name) => `function ${name}() {\n  return '${name}';\n}\n`).join('\n');
      assert.equal(textOf(place(file, code)), code);
    });

    it('drops a comment that only names the file', () => {
      assert.equal(
        textOf(place(rows, `# src/rows.py\n${rows.replace('json', 'orjson')}`)),
        rows.replace('json', 'orjson'),
      );
    });
  });

  describe('a part of a file', () => {
    const fixed = `def parse_rows(chunks):
    rest = ""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split("\\n")
        yield from map(json.loads, lines)
    if rest.strip():
        yield json.loads(rest)
`;

    it('replaces only the function of the same name', () => {
      const after = textOf(place(rows, fixed, { language: 'python' }));
      assert.equal(
        after,
        rows.replace(
          'json.loads, lines)\n',
          'json.loads, lines)\n    if rest.strip():\n        yield json.loads(rest)\n',
        ),
      );
    });

    it('replaces a method that is not indented, with the indentation of the file', () => {
      const after = textOf(
        place(cart, 'total(): number {\n  return this.items.reduce((sum, item) => sum + price(item), 0);\n}'),
      );
      assert.ok(
        after.includes(
          '\n  total(): number {\n    return this.items.reduce((sum, item) => sum + price(item), 0);\n  }\n}\n',
        ),
      );
      assert.ok(after.includes('  add(item: Item): void {'));
    });

    it('uses the tabs of the file', () => {
      const after = textOf(place(cart.replaceAll('  ', '\t'), 'total(): number {\n  if (a) {\n    return 1;\n  }\n}'));
      assert.ok(after.includes('\n\ttotal(): number {\n\t\tif (a) {\n\t\t\treturn 1;\n\t\t}\n\t}\n}'), after);
    });

    it('replaces a function with a changed signature, and adds the one after it', () => {
      const code =
        'export function tax(cart: Cart, factor = rate): number {\n  return cart.total() * factor;\n}\n\nexport function net(cart: Cart): number {\n  return cart.total() - tax(cart);\n}\n';
      const after = textOf(place(cart, code));
      assert.ok(after.endsWith(code));
      assert.ok(after.includes('class Cart'));
    });

    it("doesn't place a class with missing methods", () => {
      const code = 'export class Cart {\n  total(): number {\n    return 0;\n  }\n}\n';
      assert.equal(problemOf(place(cart, code)), 'ambiguous');
    });

    it("doesn't place an object with missing keys", () => {
      const file = '{\n  "name": "a",\n  "scripts": {\n    "build": "b",\n    "test": "t"\n  },\n  "version": "1"\n}\n';
      const code = '{\n  "scripts": {\n    "build": "b",\n    "test": "t",\n    "lint": "l"\n  }\n}\n';
      assert.equal(problemOf(place(file, code, { language: 'json' })), 'ambiguous');
      assert.equal(
        problemOf(
          place('services:\n  web:\n    image: a\n  db:\n    image: b\n', 'services:\n  web:\n    image: c\n', {
            language: 'yaml',
          }),
        ),
        'ambiguous',
      );
    });

    it("doesn't place code for a name that is defined twice", () => {
      const file = 'class A:\n    def run(self):\n        return 1\n\nclass B:\n    def run(self):\n        return 2\n';
      assert.equal(problemOf(place(file, 'def run(self):\n    return 3\n', { language: 'python' })), 'ambiguous');
    });

    it("doesn't place unrelated code", () => {
      assert.equal(problemOf(place(cart, 'npm install\nnpm test\n')), 'notFound');
      assert.equal(problemOf(place(cart, 'const total = cart.total();\nconsole.log(total);\n')), 'notFound');
    });

    it('places statements between an unchanged first and last line', () => {
      const after = textOf(
        place(
          cart,
          'let sum = 0;\nfor (const item of this.items) {\n  sum += price(item) * item.count;\n}\nreturn sum;\n',
        ),
      );
      assert.equal(after, cart.replace('price(item);', 'price(item) * item.count;'));
    });

    it('replaces the requested lines if there is no other indication', () => {
      const after = textOf(place(cart, 'const tariff = 0.25;', { requestedLines: { start: 2, end: 3 } }));
      assert.equal(after, cart.replace('const rate = 0.2;', 'const tariff = 0.25;'));
      assert.equal(problemOf(place(cart, 'if (a) {', { requestedLines: { start: 2, end: 3 } })), 'ambiguous');
    });
  });

  describe('in other languages', () => {
    it('replaces a rule of a style sheet and not the one after it', () => {
      const file = 'body {\n  margin: 0;\n}\n\n.card {\n  color: red;\n}\n\n:root {\n  --a: 1;\n}\n';
      assert.equal(textOf(place(file, 'body {\n  margin: 1px;\n}\n', { language: 'css' })), file.replace('0;', '1px;'));
    });

    it('replaces a method whose brace is on the next line', () => {
      const file = 'public class A\n{\n    int n;\n\n    public int get()\n    {\n        return n;\n    }\n}\n';
      const code = 'public int get()\n{\n    return n + 1;\n}\n';
      assert.equal(textOf(place(file, code, { language: 'java' })), file.replace('return n;', 'return n + 1;'));
    });

    it('replaces a section of a Markdown file up to the next heading of its level', () => {
      const file = '# A\n\none\n\n## B\n\ntwo\n\n## C\n\nthree\n';
      assert.equal(textOf(place(file, '## B\n\nnew\n', { language: 'markdown' })), file.replace('two', 'new'));
      assert.equal(problemOf(place(file, '# A\n\nnew\n', { language: 'markdown' })), 'ambiguous');
    });

    it('adds a method at the end of a class without braces', () => {
      const file = 'class A:\n    def one(self):\n        return 1\n\n\ndef main():\n    A()\n';
      const code = 'class A:\n    # ... existing methods ...\n\n    def two(self):\n        return 2\n';
      const after = textOf(place(file, code, { language: 'python' }));
      assert.equal(after, file.replace('return 1\n', 'return 1\n\n    def two(self):\n        return 2\n'));
    });

    it('puts a new import after the others', () => {
      const code =
        "import { round } from './round';\n\nexport function tax(cart: Cart): number {\n  return round(cart.total() * rate);\n}\n";
      const after = textOf(place(cart, code));
      assert.ok(
        after.startsWith("import { price } from './price';\nimport { round } from './round';\n\nconst rate"),
        after,
      );
      assert.ok(after.endsWith('return round(cart.total() * rate);\n}\n'), after);
    });

    it("doesn't place an import block that would be a duplicate", () => {
      const file = 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println(1)\n}\n';
      const code = 'import (\n\t"fmt"\n\t"os"\n)\n\nfunc main() {\n\tfmt.Println(os.Args)\n}\n';
      assert.equal(problemOf(place(file, code, { language: 'go' })), 'ambiguous');
    });

    it("doesn't treat a new function as a renamed one", () => {
      const file = 'function total(a) {\n  return a;\n}\n';
      assert.equal(textOf(place(file, file.replace('total', 'sum'))), file.replace('total', 'sum'));
      assert.equal(problemOf(place(file, 'function log(b) {\n  console.log(b.c.d, 1, 2);\n}\n')), 'notFound');
    });
  });

  describe('code with omitted parts', () => {
    for (const marker of [
      '// ... existing code ...',
      '// ...',
      '// rest of the class remains unchanged',
      '/* ... */',
      '// …其余代码不变',
      '// (unchanged)',
    ]) {
      it(`keeps the code represented by "${marker}"`, () => {
        const code = `export class Cart {\n  ${marker}\n\n  total(): number {\n    return 0;\n  }\n}\n\n${marker}\n`;
        const after = textOf(place(cart, code));
        assert.ok(after.includes('add(item: Item): void {\n    this.items.push(item);'), after);
        assert.ok(after.includes('  total(): number {\n    return 0;\n  }\n}\n\nexport function tax'), after);
        assert.ok(!after.includes(marker), after);
      });
    }

    it('adds a new method at the end of a class', () => {
      const after = textOf(
        place(
          cart,
          'export class Cart {\n  // ... existing methods ...\n\n  clear(): void {\n    this.items = [];\n  }\n}\n',
        ),
      );
      assert.equal(
        after,
        cart.replace(
          '    return sum;\n  }\n',
          '    return sum;\n  }\n\n  clear(): void {\n    this.items = [];\n  }\n',
        ),
      );
    });

    it('adds an import to the unchanged ones', () => {
      const code =
        "import { price } from './price';\nimport { round } from './round';\n\n// ... rest of the file ...\n";
      const after = textOf(place(cart, code));
      assert.equal(after, cart.replace("'./price';\n", "'./price';\nimport { round } from './round';\n"));
    });

    it('never replaces the complete file, whatever the wording', () => {
      for (const code of [
        'import json\n\n# ... rest of the file unchanged ...\n',
        'import orjson as json\n# (the rest of the code stays the same)\n',
        '# ... (previous code) ...\n',
      ]) {
        const placed = place(rows, code, { language: 'python' });
        if (placed.kind === 'edit') assert.ok(placed.text.includes('def count'), placed.text);
      }
    });

    it('keeps a spread and dots from the file', () => {
      const file = 'const all = [\n  ...first,\n  ...second,\n];\nclass A {\n  // ...\n  b = 1;\n}\n';
      assert.equal(textOf(place(file, file.replace('b = 1', 'b = 2'))), file.replace('b = 1', 'b = 2'));
    });

    it("isn't placed if a part doesn't start with a line of the file", () => {
      assert.equal(problemOf(place(cart, '// ...\nconst limit = 20;\nreturn sum;\n// ...\n')), 'notFound');
    });
  });

  describe('search and replace blocks', () => {
    const block = (old: string, fresh: string) => `<<<<<<< SEARCH\n${old}\n=======\n${fresh}\n>>>>>>> REPLACE\n`;

    it('replace each text that occurs exactly once', () => {
      const after = textOf(
        place(
          cart,
          `${block('const rate = 0.2;', 'const rate = 0.3;')}\n${block('return cart.total() * rate;', 'return rate * cart.total();')}`,
        ),
      );
      assert.equal(after, cart.replace('0.2', '0.3').replace('cart.total() * rate', 'rate * cart.total()'));
    });

    it('are placed all or none', () => {
      assert.equal(problemOf(place(cart, block('const rate = 0.2;', 'x') + block('nowhere', 'y'))), 'notFound');
      assert.equal(problemOf(place('a\nb\na\n', block('a', 'c'))), 'ambiguous');
      assert.equal(problemOf(place(cart, '<<<<<<< SEARCH\nconst rate = 0.2;\n=======\nconst')), 'notFound');
    });
  });

  describe('a diff', () => {
    const diff = (code: string, file = cart, language = 'diff') => place(file, code, { language });

    it('is applied with wrong line numbers and counts', () => {
      const code =
        '--- a/src/cart.ts\n+++ b/src/cart.ts\n@@ -99,3 +99,9 @@ export class Cart\n     for (const item of this.items) {\n-      sum += price(item);\n+      sum += price(item) * 2;\n     }\n';
      assert.equal(textOf(diff(code)), cart.replace('price(item);', 'price(item) * 2;'));
    });

    it('is applied without headings, numbers, and blanks before context', () => {
      assert.equal(textOf(diff('-const rate = 0.2;\n+const rate = 0.3;\n')), cart.replace('0.2', '0.3'));
      assert.equal(
        textOf(diff('@@\nconst rate = 0.2;\n\n-export class Cart {\n+export class Basket {\n')),
        cart.replace('class Cart', 'class Basket'),
      );
    });

    it('is applied to a file with CRLF, and if only white space differs', () => {
      const crlf = cart.replaceAll('\n', '\r\n');
      assert.equal(textOf(diff('-const rate = 0.2;\r\n+const rate = 0.3;\r\n', crlf)), crlf.replace('0.2', '0.3'));
      const after = textOf(diff('@@ -1 +1 @@\n-  return sum;\n+  return Math.round(sum);\n'));
      assert.equal(after, cart.replace('    return sum;', '    return Math.round(sum);'));
    });

    it('uses a line number only to choose between equal locations', () => {
      const file = 'a\nx\nb\nx\nc\n';
      assert.equal(problemOf(diff('-x\n+y\n', file)), 'ambiguous');
      assert.equal(textOf(diff('@@ -4 +4 @@\n-x\n+y\n', file)), 'a\nx\nb\ny\nc\n');
    });

    it("isn't applied if one of its hunks has no location", () => {
      assert.equal(
        problemOf(diff('@@ -1 +1 @@\n-const rate = 0.2;\n+const rate = 0.3;\n@@ -9 +9 @@\n-gone\n+new\n')),
        'notFound',
      );
    });

    it('deletes no file', () => {
      assert.equal(
        problemOf(diff('--- a/src/cart.ts\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-const rate = 0.2;\n')),
        'deletesFile',
      );
    });

    it('keeps a missing final newline', () => {
      assert.equal(textOf(diff('@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n', 'a\nb')), 'a\nc');
    });
  });

  it('has a bounded cost for hostile answers', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? 'x' : 'class A {')).join('\n');
    for (const code of [lines, `// ...\n${lines}\n// ...`, `@@\n${' x\n'.repeat(19_000)}-x\n+y\n`]) {
      const placed = placeCode(lines, { code, language: code.startsWith('@@') ? 'diff' : '', isComplete: true });
      assert.ok(placed.kind !== 'edit' || placed.text.length > 0);
    }
    assert.equal(problemOf(place('a', 'x'.repeat(3_000_000))), 'tooLarge');
  });
});
