import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { usualSecretFiles } from '../../src/core/workspace/usualSecretFiles';
import { defaultSeverities } from '../../src/core/batch/problem';
import { commandIds, needsRow, type CommandId } from '../../src/platform/commands';
import { readContextKeys, readContextValues, readContributions } from '../support/contributions';

interface Setting {
  readonly default?: unknown;
  readonly order?: number;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownDescription?: string;
  readonly scope?: string;
  readonly ignoreSync?: boolean;
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
}

interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly license: string;
  readonly pricing: string;
  readonly qna: boolean;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly galleryBanner: { readonly color: string };
  readonly version: string;
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents?: readonly string[];
  readonly main: string;
  readonly browser?: unknown;
  readonly extensionKind: readonly string[];
  readonly capabilities: {
    readonly virtualWorkspaces: { readonly supported: unknown; readonly description: string };
    readonly untrustedWorkspaces: {
      readonly supported: unknown;
      readonly description: string;
      readonly restrictedConfigurations: readonly string[];
    };
  };
  readonly contributes: {
    readonly languageModelTools: unknown;
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
    readonly walkthroughs: readonly [
      {
        readonly steps: readonly {
          readonly description: string;
          readonly media: { readonly svg: string };
          readonly completionEvents: readonly string[];
        }[];
      },
    ];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest: Manifest = JSON.parse(text);
const words: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const { contributes } = manifest;
const settings = Object.assign({}, ...contributes.configuration.map(({ properties }) => properties)) as Readonly<
  Record<string, Setting>
>;
const commands = contributes.commands.map(({ command }) => command);
const views = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));

const sorted = (values: Iterable<string>): string[] => [...values].toSorted();

/** Where nothing was made yet, the welcome names what the service makes. */
function byOffer(welcome: string): readonly string[] {
  if (!welcome.endsWith('mediaRows == empty')) return [welcome];
  const [noImages, noVideos] = ['inferenceDesk.noImages', 'inferenceDesk.noVideos'];
  const images = [`!${noImages}`, noImages];
  return images.flatMap((first) => [`!${noVideos}`, noVideos].map((second) => `${welcome} && ${first} && ${second}`));
}

describe('the manifest and the code', () => {
  it('name the same commands', async () => {
    assert.deepEqual(sorted(commands), sorted(commandIds));
  });

  it('require a row for the same commands, none of which is a view button', () => {
    const commandsIn = (menu: string) =>
      sorted(new Set(contributes.menus[menu]?.flatMap(({ command = '' }) => command)));
    const titled = commandsIn('view/title');
    const ofRows = commandsIn('view/item/context');
    assert.deepEqual(
      ofRows.filter((id) => !titled.includes(id)),
      sorted(commandIds.filter((id) => needsRow(id as CommandId))),
    );
    // The only row of the Account view is the account that these use without a row, or choose. A model to check or edit is chosen too.
    const ofAccount = ['changeBaseUrl', 'manageKey', 'removeProfile', 'renameProfile', 'signOut'];
    assert.deepEqual(
      ofRows.filter((id) => titled.includes(id)),
      sorted([...ofAccount, 'models.check', 'models.editCapabilities'].map((name) => `inferenceDesk.${name}`)),
    );
  });

  it('name the same settings with the same defaults', async () => {
    const { settingDefaults } = await readContributions();
    const declared = Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.default]));
    assert.deepEqual(settingDefaults['secretFiles'], { '**': true });
    // The code reads this one from the manifest.
    const known = Object.fromEntries(
      Object.entries({ ...settingDefaults, secretFiles: usualSecretFiles }).map(([name, value]) => [
        `inferenceDesk.${name}`,
        value,
      ]),
    );
    assert.deepEqual(declared, known);
  });

  it('name the same kinds of problems in batch files with the same severities', () => {
    const declared = Object.entries(settings['inferenceDesk.batch.severities']?.properties ?? {});
    assert.deepEqual(
      Object.fromEntries(declared.map(([code, { default: usual }]) => [code, usual])),
      defaultSeverities,
    );
  });

  it('name the same views in the same order', async () => {
    const { viewIds } = await readContributions();
    assert.deepEqual(views, viewIds);
  });

  it('contain every context key used in a clause', () => {
    const known = [...readContextKeys(), 'inferenceDesk'];
    const clauses = text.matchAll(/"(?:when|enablement)": "([^"]*)"/g);
    const asked = [...clauses].flatMap(([, clause = '']) =>
      [
        ...clause.matchAll(
          /(?<!config\.)(?<!view == )(?<!viewItem == )(?<!activeWebviewPanelId == ')\binferenceDesk(?:\.\w+)+/g,
        ),
      ].map(([key]) => key),
    );
    assert.deepEqual(
      sorted(new Set(asked)).filter((key) => !known.includes(key) && !views.includes(key)),
      [],
    );
  });

  it('contain every setting used in a clause, as a whole or by property', () => {
    const known = Object.entries(settings).flatMap(([name, { properties = {} }]) => [
      name,
      ...Object.keys(properties).map((property) => `${name}.${property}`),
    ]);
    const asked = [...text.matchAll(/\bconfig\.(inferenceDesk(?:\.\w+)+)/g)].map(([, name = '']) => name);
    assert.ok(asked.length > 0);
    assert.deepEqual(
      sorted(new Set(asked)).filter((name) => !known.includes(name)),
      [],
    );
  });
});

describe('the manifest', () => {
  it('declares all commands and views that it uses', () => {
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

  it('explains once why a view is empty, in each state in which it can be empty', () => {
    const trees = views.filter((view) => view !== 'inferenceDesk.chat');
    const values = readContextValues();
    const expected = trees.flatMap((view) => {
      const key = [`${view}Rows`, `${view}Trouble`].find((name) => values.has(name));
      assert.ok(key, view);
      const states = (values.get(key) ?? []).filter((state) => state !== 'rows');
      assert.ok(states.length > 2, view);
      const signedIn = states.map((state) => `inferenceDesk.session == signedIn && ${key} == ${state}`);
      const whens = ['inferenceDesk.session == signedOut', ...signedIn];
      return whens.flatMap((when) => byOffer(`${view}: ${when}`));
    });
    const welcomes = contributes.viewsWelcome.map(({ view, when }) => `${view}: ${when}`);
    assert.deepEqual(sorted(welcomes), sorted(expected));
  });

  it('links each view for signed-out users to sign-in, the demo service, and the walkthrough', () => {
    const texts = contributes.viewsWelcome.filter(({ when }) => when === 'inferenceDesk.session == signedOut');
    for (const { contents } of texts) {
      const text = words[contents.slice(1, -1)] ?? '';
      for (const id of ['signIn', 'demo.start', 'getStarted'])
        assert.ok(text.includes(`inferenceDesk.${id})`), contents);
    }
  });

  it('has at most one button in a welcome view and exactly one in a walkthrough step', () => {
    const buttons = (text: string) => text.split('\n').filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line)).length;
    for (const { contents } of contributes.viewsWelcome)
      assert.ok(buttons(words[contents.slice(1, -1)] ?? '') <= 1, contents);
    const [{ steps }, ...others] = contributes.walkthroughs;
    assert.deepEqual([steps.length, others], [5, []]);
    const known = readContextKeys();
    for (const { description, media, completionEvents } of steps) {
      assert.equal(buttons(words[description.slice(1, -1)] ?? ''), 1, description);
      assert.ok(existsSync(media.svg), media.svg);
      const [, key = ''] = /^onContext:([\w.]+)/.exec(completionEvents[0] ?? '') ?? [];
      assert.ok(known.includes(key), key);
      const [whenItHappens = '', whenItWas] = completionEvents;
      assert.equal(whenItWas, whenItHappens.replace(':', ':inferenceDesk.walkthroughShown && '));
    }
  });

  it('has a text for every %key%, and no unused texts', () => {
    const used = [...text.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
    assert.deepEqual(sorted(new Set(used)), sorted(Object.keys(words)));
    for (const [key, value] of Object.entries(words)) assert.ok(value.trim() !== '', key);
  });

  it('contains no user-facing text outside of package.nls.json', () => {
    // What only models read is English in every language.
    const { languageModelTools: _, ...shown } = contributes;
    const worded = JSON.stringify({ ...manifest, contributes: shown }, undefined, 2);
    const literal = [
      ...worded.matchAll(/"(title|name|description|markdownDescription|contents|label|altText)": "([^"%][^"]*)"/g),
    ]
      .map(([, , value = '']) => value)
      .filter((value) => !/^(Inference Desk|inference-desk(-batch)?)$/.test(value));
    assert.deepEqual(literal, []);
  });

  it('contains everything that the Marketplace and Open VSX require', () => {
    // https://code.visualstudio.com/api/references/extension-manifest
    const known =
      'AI,Chat,Data Science,Debuggers,Education,Extension Packs,Formatters,Keymaps,Language Packs,Linters,Machine Learning';
    const more = 'Notebooks,Other,Programming Languages,SCM Providers,Snippets,Testing,Themes,Visualization';
    const categories = [...known.split(','), ...more.split(',')];
    const { publisher, name, license, version, keywords, extensionKind, galleryBanner } = manifest;
    assert.match(`${publisher}.${name} ${version}`, /^[a-z][a-z-]*\.[a-z][a-z-]* \d+\.\d+\.\d+$/);
    assert.equal(license, 'MIT');
    assert.match(readFileSync('LICENSE', 'utf8'), /^MIT License/);
    assert.ok(manifest.categories.length > 0 && manifest.categories.every((category) => categories.includes(category)));
    assert.ok(keywords.length <= 30 && new Set(keywords).size === keywords.length);
    assert.deepEqual([manifest.pricing, manifest.qna, extensionKind], ['Free', false, ['workspace']]);
    assert.match(galleryBanner.color, /^#[0-9a-f]{6}$/);
  });

  it('has an icon in gallery size', () => {
    const icon = readFileSync(manifest.icon);
    assert.equal(icon.subarray(1, 4).toString(), 'PNG');
    assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(16) === icon.readUInt32BE(20));
  });

  it('contains no missing URL, because there is no public repository', () => {
    for (const field of ['repository', 'homepage', 'bugs', 'sponsor', 'badges']) assert.ok(!(field in manifest), field);
    assert.ok(!('browser' in manifest), 'what it does needs Node.js');
  });

  it('ships the icons it names', () => {
    const icons = Object.values(contributes.viewsContainers).flatMap((list) => list.map(({ icon }) => icon));
    for (const icon of [manifest.icon, ...icons]) assert.ok(existsSync(icon), icon);
  });

  it('activates for its views, commands, restored tabs, and checked files, and late for tracked batches', () => {
    assert.deepEqual(sorted(manifest.activationEvents ?? []), [
      'onFileSystem:inference-desk-line',
      'onLanguage:jsonl',
      'onStartupFinished',
      'onWebviewPanel:inferenceDesk.activity',
      'onWebviewPanel:inferenceDesk.batchCompare',
      'onWebviewPanel:inferenceDesk.batchPreview',
      'onWebviewPanel:inferenceDesk.batchResults',
      'onWebviewPanel:inferenceDesk.batchSubmit',
      'onWebviewPanel:inferenceDesk.chatEditor',
      'onWebviewPanel:inferenceDesk.completionSettings',
      'onWebviewPanel:inferenceDesk.editorChat',
      'onWebviewPanel:inferenceDesk.evalResults',
      'onWebviewPanel:inferenceDesk.gallery',
      'onWebviewPanel:inferenceDesk.images',
      'onWebviewPanel:inferenceDesk.modelCheck',
      'onWebviewPanel:inferenceDesk.rerank',
      'onWebviewPanel:inferenceDesk.videos',
      'onWebviewPanel:inferenceDesk.voice',
      'onWebviewPanel:inferenceDesk.voiceUpload',
    ]);
  });

  it('requires the API of the oldest supported VS Code, and no newer', () => {
    const [, minor] = /^\^1\.(\d+)\.0$/.exec(manifest.engines.vscode) ?? [];
    assert.match(manifest.devDependencies['@types/vscode'] ?? '', new RegExp(`^~1\\.${minor}\\.`));
  });

  it("doesn't allow a folder or another machine to set which extensions can use the account", () => {
    const access = settings['inferenceDesk.extensionAccess'];
    assert.deepEqual([access?.scope, access?.ignoreSync], ['application', true]);
  });

  it("excludes browser-only hosts, because the service doesn't respond to pages and files are read locally", () => {
    assert.equal(manifest.browser, undefined);
    assert.equal(manifest.main, './dist/extension.js');
    assert.deepEqual(manifest.extensionKind, ['workspace']);
  });

  it('declares its limits in untrusted and virtual workspaces', () => {
    const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
    for (const { supported, description } of [untrustedWorkspaces, virtualWorkspaces]) {
      assert.equal(supported, 'limited');
      assert.match(words[description.slice(1, -1)] ?? '', /work.*\..*(until|unless|only)/s);
    }
    // A folder that is not trusted says nothing of accounts, of the network, and of where files are written.
    assert.deepEqual(sorted(untrustedWorkspaces.restrictedConfigurations), [
      'inferenceDesk.account.lowBalance',
      'inferenceDesk.chat.instructions',
      'inferenceDesk.media.folder',
      'inferenceDesk.network.stack',
      'inferenceDesk.profiles',
    ]);
  });

  it('groups the settings under titles, in order', () => {
    const titles = contributes.configuration.map(({ title }) => words[title.slice(1, -1)] ?? '');
    assert.equal(new Set(titles).size, titles.length);
    // The list of groups of the Settings editor cuts longer ones.
    for (const title of titles) assert.match(title, /^[A-Z][a-z]{1,11}$/);
    for (const { title, properties } of contributes.configuration) {
      const orders = Object.values(properties).map(({ order }) => order);
      assert.deepEqual(
        orders,
        orders.map((_, at) => at + 1),
        title,
      );
    }
  });

  it('describes every setting and each of its values', () => {
    for (const [name, { enum: values, enumDescriptions, markdownDescription }] of Object.entries(settings)) {
      assert.ok(words[markdownDescription?.slice(1, -1) ?? ''], name);
      assert.equal(enumDescriptions?.length, values?.length, name);
    }
  });

  it("doesn't allow a folder to set where a key is sent", () => {
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
