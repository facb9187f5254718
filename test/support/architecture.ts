import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * The allowed imports. A file belongs to the layer with the longest matching path, and can import its own layer. Entries are layers or
 * files of the repository, `node:` for every built-in, or packages (with everything below them). With `type:`, only types can be imported.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  'src/schema': ['zod/mini'],
  'src/protocol': ['src/schema', 'zod/mini'],
  // Replaces the package's function in all bundles.
  'src/protocol/localize.ts': ['@vscode/l10n'],
  'src/core/api': [
    'node:',
    'undici',
    'zod/mini',
    'file-type',
    'src/core/storage',
    'src/schema',
    // Pure data from which the schemas are derived.
    'src/core/parameters/parameterTable.ts',
    // Facts about a service by its URL, which determine the format of requests.
    'src/core/profiles/knownServices.ts',
    // Code in an answer is parsed like in the chat.
    'src/protocol/fences.ts',
  ],
  'src/core': [
    'node:',
    'zod/mini',
    'jsonc-parser',
    'fastest-levenshtein',
    '@vscode/l10n',
    'csv-parse',
    'diff',
    'hyparquet',
    'yaml',
    'file-type',
    'image-size',
    'pngjs',
    'src/core/api/**.schema.ts',
    'src/core/api/**.bounds.ts',
    'src/core/api/bounds.ts',
    // One conversion for requests and lines of batch files.
    'src/core/api/chat/toChatCompletion.ts',
    'src/core/api/chat/toMessageRequest.ts',
    'src/core/api/chat/chatWays.ts',
    'src/core/api/parameters.ts',
    'src/core/api/**Events.ts',
    'src/core/api/errorBody.ts',
    'src/core/api/errorKinds.ts',
    'src/core/api/errors.ts',
    'src/core/api/exchange.ts',
    'src/core/api/isObject.ts',
    'src/core/api/models/listedPrices.ts',
    'src/core/api/parseError.ts',
    'src/core/api/parseJson.ts',
    'src/core/api/present.ts',
    'src/core/api/redact.ts',
    'src/core/api/reportedCost.ts',
    'src/core/api/tolerant.ts',
    'src/core/audio',
    'src/core/usage',
    'src/core/storage',
    'src/schema',
    // Numbers and amounts of money have one format.
    'src/protocol/formats.ts',
    // Code blocks are parsed like in the chat.
    'src/protocol/fences.ts',
  ],
  'src/core/storage': ['node:'],
  // Wraps the API client.
  'src/core/usage': ['node:', 'src/core'],
  // Uses the API client, and reads the recorded exchanges.
  'src/core/modelCheck': ['node:', 'src/core', '@vscode/l10n', 'src/protocol/formats.ts'],
  'src/core/audio': ['node:', 'file-type', 'mediabunny'],
  // Imports nothing from the client except file storage.
  'src/demo': ['node:', 'busboy', 'jpeg-js', 'pngjs', 'h264-mp4-encoder', 'src/core/storage'],
  'src/platform': [
    'type:src/core',
    'src/core/storage',
    // What an adapter requires to render and read safely: untrusted text, error kinds, secret and ignored files.
    'src/core/text',
    'src/core/api/errors.ts',
    'src/core/network',
    'src/core/workspace',
    'src/core/search',
    'src/core/theme',
    'src/protocol',
    'src/schema',
    'vscode',
    '@vscode/l10n',
    'node:',
    'zod/mini',
  ],
  'src/services': [
    'src/core',
    'src/protocol',
    'src/schema',
    'src/platform',
    'vscode',
    '@vscode/l10n',
    'node:',
    'zod/mini',
  ],
  'src/features': [
    'src/core',
    'src/protocol',
    'src/schema',
    'src/platform',
    'src/services',
    'vscode',
    '@vscode/l10n',
    'node:',
    'zod/mini',
  ],
  'src/cli': ['src/core', '@vscode/l10n', 'node:', '@modelcontextprotocol/server'],
  'src/extension.ts': [
    'node:timers/promises',
    'src/desk.ts',
    'src/core/text/useTranslations.ts',
    'src/platform',
    'src/features',
    'src/services',
    'vscode',
  ],
  'src/desk.ts': ['src/core', 'src/platform', 'src/features', 'src/services', 'vscode'],
  'webview/main.tsx': ['webview', 'src/protocol', 'preact', '@preact/signals'],
  'webview/host.ts': ['src/protocol'],
  'webview/translations.ts': ['@vscode/l10n'],
  'webview/toolkit.ts': ['@vscode/webview-ui-toolkit', 'preact'],
  'webview/styles': [],
  'webview/assets.d.ts': [],
  'webview/styleNonce.ts': [],
  'webview/markdown': [
    '@vscode/l10n',
    'preact',
    '@preact/signals',
    'markdown-it',
    'markdown-it-cjk-friendly',
    'dompurify',
    'highlight.js',
    'temml',
    'src/protocol/fences.ts',
  ],
  // Sentences are joined, and numbers and dates formatted, in the same way in the host and on pages.
  'webview/components': [
    'webview/toolkit.ts',
    'webview/markdown',
    'src/protocol/formats.ts',
    'src/protocol/sentences.ts',
    '@vscode/l10n',
    'preact',
    '@preact/signals',
  ],
  'webview/screens': [
    'webview/components',
    'webview/markdown',
    'webview/toolkit.ts',
    'webview/host.ts',
    'webview/styles',
    'src/protocol',
    '@vscode/l10n',
    'preact',
    '@preact/signals',
  ],
};

/** Exceptions to the layers: one feature can start the demo service with a dynamic import, so its chunk is loaded on demand. */
const lazyOnly: readonly { readonly from: string; readonly to: string }[] = [
  { from: 'src/features/demo', to: 'src/demo' },
];

/** Modules that only the named files can import. */
const doors: readonly { readonly to: string; readonly only: readonly string[] }[] = [
  {
    to: 'undici',
    only: ['src/core/api/transport/undiciTransport.ts', 'src/core/api/transport/undiciAgent.d.ts'],
  },
  { to: '@vscode/webview-ui-toolkit', only: ['webview/toolkit.ts'] },
  // Tokens are counted only where clients are metered.
  {
    to: 'src/core/usage/usageLedger.ts',
    only: [
      'src/services/usage/usage.ts',
      'src/cli/mcp/dailyLimits.ts',
      'src/core/usage/dayTokens.ts',
      'src/core/usage/daySpending.ts',
      'src/core/usage/meteredClient.ts',
    ],
  },
];

/** The contract of a service: its interface and factory. */
const contract = 'the contract';

/**
 * The files of a folder in `src/services` that others can import, with the reason: one file is the contract of a service, and the rest is
 * private. A folder of independent modules has no contract, so each of its files is listed.
 */
export const publicFiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  account: {
    'account.ts': contract,
    'networkMemory.ts': 'what a service was found not to have, which ghost text keeps of models in a place of its own',
    'notOffered.ts': 'what pages and commands say in place of what the service does not have, loaded with them',
  },
  batches: {
    'batches.ts': contract,
    'batchMessages.ts': 'texts, loaded with what shows them',
    'batchNotices.ts': 'notices of a batch, also for what a person asked of one',
    'localRuns.ts': 'the runs on this machine, loaded with what lists or executes them',
    'resultsRoot.ts': 'where results are saved, also those of runs on this machine',
  },
  batchFiles: {
    'appendBatchLine.ts': 'a line for a file, of any feature that has a request',
    'checkFiles.ts': 'the check of files on disk',
    'checkWords.ts': 'what a check found, in words',
    'retryLineage.ts': 'what a file retries, between those that write and send it',
    'openTable.ts': 'asks for an encoding, where a command reads a table',
    'rowsPrompt.ts': 'the argument of a command, between those that run and have it',
  },
  chat: { 'chatService.ts': contract },
  diagnostics: { 'diagnostics.ts': contract },
  evals: { 'evals.ts': contract },
  failures: { 'failures.ts': contract },
  images: {
    'chooseImage.ts': 'the question which image to send along, for any page',
    'copiedImage.ts': 'an image on the clipboard, between pages',
    'providedImage.ts': 'images that a person gives to a page or a tool',
  },
  jobs: { 'jobs.ts': contract, 'lazyJobs.ts': 'jobs that are loaded on first use, made at activation' },
  lists: {
    'emptyReason.ts': 'why a list is empty, for any view',
    'listErrorText.ts': 'the message above a list, for any view',
    'listView.ts': 'the view of any list',
    'remoteContents.ts': 'contents of files at the service',
    'remoteList.ts': 'any list of the service',
  },
  media: { 'media.ts': contract, 'mediaMessages.ts': 'texts, loaded with what shows them' },
  models: {
    'modelCatalogue.ts': contract,
    'activeAccount.ts': 'the account that something is sent with, loaded when it is sent',
    'modelFacts.ts': 'a tooltip, loaded with the hovers that show it',
    'lastModel.ts': 'loaded with the pages that remember a model',
    'rememberedForm.ts': 'loaded with the pages that have a form',
    'lackingModels.ts': 'asked before something is sent, loaded with what sends it',
    'modelNotOffered.ts': 'its texts, loaded when they are shown',
  },
  parameters: {
    'messageLimit.ts': 'how many messages a service takes, for whatever sends conversations',
    'parameterMemory.ts': 'a store of each feature that has presets',
  },
  search: { 'search.ts': contract },
  usage: {
    'usage.ts': contract,
    'confirmUsage.ts': 'a question before much is used, loaded when it is asked',
    'costMessages.ts': 'texts, loaded with what shows them',
    'costs.ts': 'what paid work costs as the balance shows it, made at activation',
    'prices.ts': 'what models cost before they are used, loaded with what shows it',
  },
  voices: {
    'transcribing.ts': 'the transcript of a recording, of any page',
    'voiceNotes.ts': 'notes on voices, between pages',
  },
  work: { 'work.ts': contract },
};

/** A name that only one file can use. */
const words: readonly { readonly word: string; readonly only: string }[] = [
  { word: 'acquireVsCodeApi', only: 'webview/host.ts' },
];

/** The module for everything that VS Code renders. The linter restricts `vscode.window.show…` and similar calls to it. */
const notify = 'src/platform/notify.ts';
/** What the linter doesn't detect outside of that module: named imports and computed names. */
const pastNotify: ReadonlySet<string> = new Set(['CodeLens', 'CompletionItem', 'MarkdownString', 'TreeItem']);

/** Every window loads these files, and only the localization of VS Code. */
const withEditorTexts: readonly string[] = [
  'src/platform/entryPoints.ts',
  'src/features/batchEditor/check/checkTasks.ts',
];

/** The only folder that creates and renames files and folders, so that stored files are complete, synced, and private. */
const writer = 'src/core/storage';

/** Functions that create or copy files and folders, in addition to `open` other than for reading. */
const making =
  /^(mkdir|mkdtemp|mkdtempDisposable|rename|writeFile|appendFile|copyFile|cp|symlink|link|truncate)(Sync)?$|^createWriteStream$|^promises$/;
const editorMaking: ReadonlySet<string> = new Set(['writeFile', 'createDirectory', 'copy', 'rename']);

/** Files that can create files in another way, with the reason. */
const otherWriters: Readonly<Record<string, readonly string[]>> = {
  // Opens only for reading, with flags that don't follow links.
  'src/core/workspace/fileGuard.ts': ['open for writing'],
  // Truncates existing files.
  'src/core/batch/local/resultFiles.ts': ['truncate'],
  'src/core/jobs/batch/fetchResults.ts': ['truncate'],
  // At a path from a dialog or setting, possibly on a disk that only VS Code can access.
  'src/features/activity/activityController.ts': ['workspace.fs.writeFile'],
  'src/features/chat/exportConversation.ts': ['workspace.fs.writeFile'],
  'src/features/media/saveGenerated.ts': ['workspace.fs.copy', 'workspace.fs.writeFile'],
  'src/features/videos/videoActions.ts': ['workspace.fs.writeFile'],
};

/** Files that can write with the usual modes to a location that the user selected. */
const usualReach: readonly string[] = [
  'src/cli/eval/runCommands.ts',
  'src/cli/mcp/openFolder.ts',
  'src/core/batch/transform/dropMark.ts',
  'src/core/batch/transform/split.ts',
  'src/core/batch/transform/writeLines.ts',
  'src/core/evals/run/baseline.ts',
  'src/core/evals/run/humanLabels.ts',
  'src/core/evals/run/runFolder.ts',
  'src/features/evals/createEval.ts',
  'src/features/evals/evalPages.ts',
  'src/features/media/insert/insertTarget.ts',
  'src/features/media/saveGenerated.ts',
  'src/services/lists/remoteContents.ts',
];

export interface Import {
  readonly target: string;
  /** Loaded only when the line runs. */
  readonly dynamic: boolean;
  /** Removed by compilation. */
  readonly isType: boolean;
}

interface Parsed {
  readonly imports: readonly Import[];
  readonly identifiers: ReadonlySet<string>;
  readonly pastNotify: readonly string[];
  /** Whether texts are localized by `vscode`, which exists only in the extension host. */
  readonly hasEditorTexts: boolean;
}

/** Returns every module that a source imports: imports and re-exports (also of types), `import()` as expression and type, and `require`. */
export function parseImports(file: string, source: string): Parsed {
  const { program, errors } = parseSync(file, source);
  const error = errors.find(({ severity }) => severity === 'Error');
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  const imports: Import[] = [];
  const identifiers = new Set<string>();
  const add = (node: unknown, { dynamic = false, isType = false } = {}): void => {
    if (typeof node !== 'object' || node === null) return;
    const value = 'value' in node ? node.value : undefined;
    if (typeof value === 'string') imports.push({ target: resolve(file, value), dynamic, isType });
    else throw new Error(`${file}: an import whose module is not a plain string cannot be checked`);
  };
  const past: string[] = [];
  let hasEditorTexts = false;
  new Visitor({
    ImportDeclaration: (node) => {
      const named = node.specifiers.map((one) => 'importKind' in one && one.importKind === 'type');
      const isType = node.importKind === 'type' || (named.length > 0 && named.every(Boolean));
      add(node.source, { isType });
      if (node.source.value !== 'vscode' || node.importKind === 'type') return;
      for (const { local, ...one } of node.specifiers) {
        const name = 'imported' in one && one.imported.type === 'Identifier' ? one.imported.name : '';
        if (name === 'l10n') hasEditorTexts = true;
        if (pastNotify.has(name) && !('importKind' in one && one.importKind === 'type'))
          past.push(`${name} as ${local.name}`);
      }
    },
    MemberExpression: ({ computed, object }) => {
      const owner = object.type === 'MemberExpression' ? object.property : object;
      if (computed && owner.type === 'Identifier' && owner.name === 'window') past.push('window[…]');
    },
    ExportNamedDeclaration: (node) => add(node.source, { isType: node.exportKind === 'type' }),
    ExportAllDeclaration: (node) => add(node.source, { isType: node.exportKind === 'type' }),
    ImportExpression: (node) => add(node.source, { dynamic: true }),
    TSImportType: (node) => add(node.source, { isType: true }),
    TSExternalModuleReference: (node) => add(node.expression),
    CallExpression: (node) => {
      if (source.slice(node.callee.start, node.callee.end) === 'vscode.l10n.t') hasEditorTexts = true;
      if (node.callee.type === 'Identifier' && node.callee.name === 'require') add(node.arguments[0]);
    },
    Identifier: (node) => void identifiers.add(node.name),
  }).visit(program);
  return { imports, identifiers, pastNotify: past, hasEditorTexts };
}

const endings = ['', '.ts', '.tsx', '.d.ts', '/index.ts', '/index.tsx'];

/** Returns a relative module as the file's path in the repository, and others unchanged. */
function resolve(file: string, target: string): string {
  if (!target.startsWith('.')) return target;
  const base = path.posix.join(path.posix.dirname(file), target);
  return endings.map((ending) => base + ending).find((name) => /\.\w+$/.test(name) && existsSync(name)) ?? base;
}

const within = (name: string, place: string): boolean => name === place || name.startsWith(`${place}/`);

export function layerOf(file: string): string | undefined {
  return Object.keys(layers)
    .filter((layer) => within(file, layer) || within(file, layer.replace(/\.tsx?$/, '')))
    .toSorted((a, b) => b.length - a.length)[0];
}

function allows(entry: string, { target, isType }: Import): boolean {
  if (entry.startsWith('type:')) return isType && within(target, entry.slice('type:'.length));
  if (entry === 'node:') return target.startsWith('node:');
  const [start, end] = entry.split('**');
  if (start !== undefined && end !== undefined)
    return target.startsWith(start) && `${target.replace(/\.ts$/, '')}.ts`.endsWith(end);
  return within(target, entry) || within(target, entry.replace(/\.tsx?$/, ''));
}

const serviceOf = (name: string): string | undefined => /^src\/services\/([^/.]+)\//.exec(name)?.[1];

/** Returns whether files outside of the service's folder can import the file. */
function isPublic(file: string, service: string): boolean {
  const name = file.slice(`src/services/${service}/`.length).replace(/\.ts$/, '');
  return Object.hasOwn(publicFiles[service] ?? {}, `${name}.ts`);
}

const featureOf = (name: string): string | undefined => /^src\/features\/([^/.]+)\//.exec(name)?.[1];

function judge(file: string, layer: string, imported: Import): string | undefined {
  const { target, dynamic } = imported;
  const door = doors.find(({ to }) => within(target, to));
  if (door !== undefined && !door.only.includes(file))
    return `${file} must not import ${target}: only ${door.only[0]} may`;
  const lazy = lazyOnly.find(({ from, to }) => within(file, from) && within(target, to));
  if (lazy !== undefined) return dynamic ? undefined : `${file} may load ${target} only by import()`;
  const home = featureOf(file);
  const other = featureOf(target);
  if (home !== undefined && other !== undefined && home !== other)
    return `${file} must not import the feature ${other}`;
  const service = serviceOf(target);
  if (service !== undefined && serviceOf(file) !== service && !isPublic(target, service))
    return `${file} must not import ${target}: others import only ${Object.keys(publicFiles[service] ?? {}).join(', ')} of that service`;
  if (layerOf(target) === layer) return undefined;
  return layers[layer]?.some((entry) => allows(entry, imported)) === true
    ? undefined
    : `${file} (${layer}) must not import ${target}`;
}

/** Returns the import violations of one file in `src` or `webview`, each as a sentence. */
export function violationsOf(file: string, source: string): readonly string[] {
  const layer = layerOf(file);
  if (layer === undefined) return [`${file} is in no layer`];
  const { imports, identifiers, pastNotify: past, hasEditorTexts } = parseImports(file, source);
  const found = imports.map((one) => judge(file, layer, one)).filter((sentence) => sentence !== undefined);
  const said = words
    .filter(({ word, only }) => identifiers.has(word) && file !== only)
    .map(({ word, only }) => `${file} must not use ${word}: only ${only} may`);
  const unguarded =
    file.startsWith('src/') && file !== notify
      ? past.map((name) => `${file} must not use ${name}: it goes through ${notify}`)
      : [];
  const twoWays =
    hasEditorTexts && !withEditorTexts.includes(file)
      ? [`${file} must localize its texts by @vscode/l10n, as all others`]
      : [];
  return [...found, ...said, ...unguarded, ...twoWays];
}

/**
 * Returns circular dependencies of services, each as a sentence, including types. `sources` is keyed by path. The object that features
 * receive, `src/services/services.ts`, is one of them, because it knows the services created for it.
 */
export function serviceCircles(sources: ReadonlyMap<string, string>): readonly string[] {
  const all = 'services.ts';
  const nameOf = (file: string) => serviceOf(file) ?? (/^src\/services\/services(\.ts)?$/.test(file) ? all : undefined);
  const known = new Map<string, Set<string>>();
  for (const [file, source] of sources) {
    const name = nameOf(file);
    if (name === undefined) continue;
    const of = known.get(name) ?? new Set();
    known.set(name, of);
    for (const { target } of parseImports(file, source).imports) {
      const other = nameOf(target);
      if (other !== undefined && other !== name) of.add(other);
    }
  }
  const circles: string[] = [];
  const follow = (name: string, way: readonly string[]): void => {
    if (way.includes(name)) {
      // Each circle is reported once, starting with the first name in alphabetical order.
      const circle = way.slice(way.indexOf(name));
      if (circle.every((one) => one >= name)) circles.push([...circle, name].join(' -> '));
      return;
    }
    for (const other of known.get(name) ?? []) follow(other, [...way, name]);
  };
  for (const name of known.keys()) follow(name, []);
  return [...new Set(circles)];
}

/**
 * Returns files of features on the wrong side of `logic/`, each as a sentence. Code that never loads `vscode`, directly or through imports,
 * is in the feature's `logic` folder and can be tested in plain Node. Worker files are next to the code that starts them.
 */
export function misplacedLogic(sources: ReadonlyMap<string, string>): readonly string[] {
  const imports = new Map<string, readonly string[]>();
  for (const [file, source] of sources)
    imports.set(
      file,
      parseImports(file, source).imports.flatMap(({ target, isType }) => (isType ? [] : [target])),
    );
  const editorFiles = new Set<string>();
  const importers = new Map<string, string[]>();
  for (const [file, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  const follow = (target: string): void => {
    for (const file of importers.get(target) ?? []) {
      if (editorFiles.has(file)) continue;
      editorFiles.add(file);
      follow(file);
    }
  };
  follow('vscode');
  return [...sources.keys()].flatMap((file) => {
    if (!file.startsWith('src/features/') || /Worker(Calls)?\.ts$/.test(file)) return [];
    const isInLogic = /^src\/features\/\w+\/logic\//.test(file);
    if (isInLogic === !editorFiles.has(file)) return [];
    return [isInLogic ? `${file} loads vscode` : `${file} never loads vscode and belongs in logic/`];
  });
}

/** Returns what one file of `src` creates on disk without the module for that, each as a sentence. */
export function writesOf(file: string, source: string): readonly string[] {
  if (within(file, writer)) return [];
  const found: string[] = [];
  const allowed = otherWriters[file] ?? [];
  const say = (name: string) => {
    if (!allowed.includes(name)) found.push(`${file} must not use ${name}: ${writer} writes files`);
  };
  /** Local names of `open` and `openSync`. */
  const opening = new Set<string>();
  new Visitor({
    ImportDeclaration(node) {
      if (!/^(node:)?fs(\/promises)?$/.test(node.source.value) || node.importKind === 'type') return;
      for (const one of node.specifiers) {
        if (one.type !== 'ImportSpecifier') say(`all of ${node.source.value}`);
        else {
          const name = one.imported.type === 'Identifier' ? one.imported.name : one.imported.value;
          if (making.test(name)) say(name);
          if (/^open(Sync)?$/.test(name) && one.importKind !== 'type') opening.add(one.local.name);
        }
      }
    },
    ImportExpression(node) {
      const { source: module } = node;
      if (module.type === 'Literal' && /^(node:)?fs(\/promises)?$/.test(String(module.value))) say('import() of fs');
    },
    CallExpression({ callee, arguments: provided }) {
      if (callee.type === 'Identifier' && opening.has(callee.name)) {
        const [, flags] = provided;
        const isReading = flags === undefined || (flags.type === 'Literal' && flags.value === 'r');
        if (!isReading) say(`${callee.name} for writing`);
      }
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { object, property } = callee;
      const isEditorFiles = object.type === 'MemberExpression' && /\bworkspace\.fs$/.test(sourceOf(source, object));
      if (isEditorFiles && editorMaking.has(property.name)) say(`workspace.fs.${property.name}`);
    },
    Property({ key, value }) {
      const isUsual = value.type === 'Literal' && value.value === false;
      const isReach = key.type === 'Identifier' && key.name === 'isPrivate' && isUsual;
      if (isReach && !usualReach.includes(file))
        found.push(`${file} must not write with the usual modes: a person chooses no place in it`);
    },
  }).visit(parseSync(file, source).program);
  return found;
}

const sourceOf = (source: string, { start, end }: { readonly start: number; readonly end: number }) =>
  source.slice(start, end);
