import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readContextKeys, readContributions } from '../support/contributions';

interface Setting {
  readonly default?: unknown;
  readonly scope?: string;
  readonly ignoreSync?: boolean;
}

interface Manifest {
  readonly version: string;
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents?: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
    readonly configuration:
      | { readonly properties: Readonly<Record<string, Setting>> }
      | readonly { readonly properties: Readonly<Record<string, Setting>> }[];
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest: Manifest = JSON.parse(text);
const words: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const { contributes } = manifest;
const settings = Object.assign(
  {},
  ...[contributes.configuration].flat().map(({ properties }) => properties),
) as Readonly<Record<string, Setting>>;
const commands = contributes.commands.map(({ command }) => command);
const views = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));

const sorted = (values: Iterable<string>): string[] => [...values].toSorted();

describe('the manifest and the code', () => {
  it('name the same commands', async () => {
    const { commandIds } = await readContributions();
    assert.deepEqual(sorted(commands), sorted(commandIds));
  });

  it('name the same settings with the same defaults', async () => {
    const { settingDefaults } = await readContributions();
    const declared = Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.default]));
    const known = Object.fromEntries(
      Object.entries(settingDefaults).map(([name, value]) => [`inferenceDesk.${name}`, value]),
    );
    assert.deepEqual(declared, known);
  });

  it('name the same views in the same order', async () => {
    const { viewIds } = await readContributions();
    assert.deepEqual(views, viewIds);
  });

  it('know every context key that a clause asks for', () => {
    const known = [...readContextKeys(), 'inferenceDesk'];
    const clauses = text.matchAll(/"(?:when|enablement)": "([^"]*)"/g);
    const asked = [...clauses].flatMap(([, clause = '']) =>
      [...clause.matchAll(/(?<!view == )(?<!viewItem == )\binferenceDesk(?:\.\w+)+/g)].map(([key]) => key),
    );
    assert.deepEqual(
      sorted(new Set(asked)).filter((key) => !known.includes(key) && !views.includes(key)),
      [],
    );
  });
});

describe('the manifest', () => {
  it('names no command and no view that it does not declare', () => {
    const inMenus = Object.values(contributes.menus).flatMap((items) => items.flatMap(({ command }) => command ?? []));
    const inWords = Object.values(words).flatMap((value) =>
      [...value.matchAll(/\(command:(inferenceDesk[\w.]*)/g)].map(([, id = '']) => id),
    );
    const focus = views.map((view) => `${view}.focus`);
    assert.deepEqual(
      sorted(new Set([...inMenus, ...inWords])).filter((id) => !commands.includes(id) && !focus.includes(id)),
      [],
    );
    const inClauses = [...text.matchAll(/view == (inferenceDesk[\w.]*)/g)].map(([, id = '']) => id);
    const welcomed = contributes.viewsWelcome.map(({ view }) => view);
    assert.deepEqual(
      sorted(new Set([...inClauses, ...welcomed])).filter((id) => !views.includes(id)),
      [],
    );
  });

  it('has words for every %key%, and no words that nothing shows', () => {
    const used = [...text.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
    assert.deepEqual(sorted(new Set(used)), sorted(Object.keys(words)));
    for (const [key, value] of Object.entries(words)) assert.ok(value.trim() !== '', key);
  });

  it('writes no word a person reads beside package.nls.json', () => {
    const literal = [...text.matchAll(/"(title|name|description|markdownDescription|contents|label)": "([^"%][^"]*)"/g)]
      .map(([, , value = '']) => value)
      .filter((value) => value !== 'Inference Desk' && value !== 'inference-desk');
    assert.deepEqual(literal, []);
  });

  it('ships the icons it names', () => {
    const icons = Object.values(contributes.viewsContainers).flatMap((list) => list.map(({ icon }) => icon));
    for (const icon of [manifest.icon, ...icons]) assert.ok(existsSync(icon), icon);
  });

  it('is started by its views and commands alone', () => {
    assert.deepEqual(manifest.activationEvents ?? [], []);
  });

  it('declares the API of the oldest editor it admits, and no newer', () => {
    const [, minor] = /^\^1\.(\d+)\.0$/.exec(manifest.engines.vscode) ?? [];
    assert.match(manifest.devDependencies['@types/vscode'] ?? '', new RegExp(`^~1\\.${minor}\\.`));
  });

  it('lets no folder say where a key is sent', () => {
    const profiles = settings['inferenceDesk.profiles'];
    assert.equal(profiles?.scope, 'application');
    assert.equal(profiles?.ignoreSync, true);
    for (const [name, setting] of Object.entries(settings)) {
      if (!name.startsWith('inferenceDesk.network.')) continue;
      assert.ok(['application', 'machine'].includes(setting.scope ?? 'window'), name);
    }
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    for (const name of restrictedConfigurations) assert.ok(name in settings, name);
  });
});
