import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { iconNames } from '../../../../webview/components/iconNames';

const names = new Set<string>(iconNames);
const sources = globSync('webview/**/*.{ts,tsx,css}').map((file) => readFileSync(file, 'utf8'));
const found = (pattern: RegExp) => sources.flatMap((source) => [...source.matchAll(pattern)].map(([, part]) => part!));

describe('The icons that the pages show', () => {
  it('are among those their font is built with, where a class or a style sheet names them', () => {
    const named = found(/\bcodicon-([a-z][\w-]*)/g).filter((name) => !name.startsWith('modifier-'));
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((name) => !names.has(name)),
      [],
    );
  });

  it('are among them where a style sheet has their character', () => {
    const rules = readFileSync('node_modules/@vscode/codicons/dist/codicon.css', 'utf8');
    const held = [...rules.matchAll(/^\.codicon-([\w-]+):before \{ content: "\\([\da-f]+)" \}$/gm)]
      .filter(([, name]) => names.has(name!))
      .map(([, , code]) => code!);
    const written = found(/content: '\\([\da-f]{4})'/g).filter((code) => /^[ef]/.test(code));
    assert.ok(written.length > 0);
    assert.deepEqual(
      written.filter((code) => !held.includes(code)),
      [],
    );
  });
});
