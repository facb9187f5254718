import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { iconNames } from '../../../../webview/components/iconNames';

const sources = globSync('webview/**/*.{ts,tsx,css}').map((file) => readFileSync(file, 'utf8'));
const found = (pattern: RegExp) => sources.flatMap((source) => [...source.matchAll(pattern)].map(([, part]) => part!));
const rules = readFileSync('node_modules/@vscode/codicons/dist/codicon.css', 'utf8');
const icons = [...rules.matchAll(/^\.codicon-([\w-]+):before \{ content: "\\([\da-f]+)" \}$/gm)];
const names = new Set(icons.map(([, name]) => name!));
const characters = new Set(icons.map(([, , character]) => character!));

describe('icons of the pages', () => {
  it('exist in the icon font if code or a style sheet names them', () => {
    const inClasses = found(/\bcodicon-([a-z][\w-]*)/g).filter((name) => !name.startsWith('modifier-'));
    assert.ok(inClasses.length > 5);
    assert.deepEqual(
      [...iconNames, ...inClasses].filter((name) => !names.has(name)),
      [],
    );
  });

  it('exist in the icon font if a style sheet contains their character', () => {
    const written = found(/content: '\\([\da-f]{4})'/g).filter((code) => /^[ef]/.test(code));
    assert.ok(written.length > 0);
    assert.deepEqual(
      written.filter((character) => !characters.has(character)),
      [],
    );
  });
});
