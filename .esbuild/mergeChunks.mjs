import path from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Bytes a chunk may have at most to be loaded by who has no use for it: by a feature of the extension, and by the programs that run beside it,
 * one of which starts for every check of a large file.
 */
const inVain = { extension: 8000, programs: 3000 };

/**
 * Merges the chunks that esbuild splits a build into: it makes one for every set of entry points that share code, three hundred, a third of
 * which have less than 400 bytes. Each costs the package 250 bytes, and whoever loads it half a millisecond. Takes what esbuild gives for
 * `outdir`, minifies what comes of it, and gives files with their code, and a metafile of the same form.
 */
export async function mergeChunks({ code, metafile: { outputs }, outdir }) {
  const chunks = chunksOf(outputs);
  const programs = [...chunks.keys()].filter((name) => path.dirname(name) === outdir);
  const extension = `${outdir}/extension.js`;
  // What all features start with, at the first use of any of them.
  const [desk] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'src/desk.ts');
  const entries = new Set([...programs, ...[...chunks.values()].flatMap(({ later }) => later)]);
  // What starts the extension, and what starts the features, is one file each with all that only it needs at once.
  const isAlone = (name) => entries.has(name) && name !== extension && name !== desk;
  const groups = groupsOf({ chunks, programs, entries, isAlone, extension, desk });
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((name) => [path.basename(name, '.js'), name])),
    platform: 'node',
    external: ['vscode'],
    preserveEntrySignatures: 'allow-extension',
    plugins: [
      {
        name: 'split',
        resolveId: (id, importer) => {
          const name = path.join(path.dirname(importer ?? '.'), id);
          return code.has(name) ? name : undefined;
        },
        load: (name) => code.get(name),
      },
    ],
  });
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    comments: false,
    // Of an entry with others it makes one file with all of them, and one that passes on what the entry exports.
    entryFileNames: ({ name }) => (name === 'extension' ? passingOn : '[name].js'),
    // A name stands many times in the package: those of esbuild have eight signs that mean nothing.
    chunkFileNames: ({ name }) =>
      name === 'extension' ? 'extension.js' : `c/${groups.get(`${outdir}/c/${name}.js`) ?? name}.js`,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'merged', name: (name) => (isAlone(name) ? undefined : groups.get(name)) }],
    },
  });
  return written(output, outputs, outdir);
}

const passingOn = 'exports.js';

/** The files of what was bundled, and what each is made of. */
function written(output, outputs, outdir) {
  const { code: exported } = output.find(({ fileName }) => fileName === passingOn);
  const merged = output.filter(({ fileName }) => fileName !== passingOn);
  // The bundler's own helpers are made of no file and do nothing by themselves: to import them without a name is in vain.
  const isHelper = ({ moduleIds }) => moduleIds.every((id) => Object.keys(outputs[id].inputs).length === 0);
  const helpers = merged.filter(isHelper).map(({ fileName }) => path.basename(fileName));
  const inVainOnly = new RegExp(`(?<=^|;)import"[./]*(c/)?(${helpers.join('|')})";`, 'g');
  const names = new Set(merged.map(({ fileName }) => fileName));
  const files = new Map();
  const told = {};
  for (const { fileName, code, moduleIds, imports, dynamicImports } of merged) {
    // A module may pass on what it exports itself.
    const text = (fileName === 'extension.js' ? code + exported : code).replaceAll(inVainOnly, '');
    const asEsbuild = (all, kind) =>
      all
        .filter((name) => names.has(name) && text.includes(`/${path.basename(name)}`))
        .map((name) => ({ path: `${outdir}/${name}`, kind }));
    files.set(`${outdir}/${fileName}`, text);
    told[`${outdir}/${fileName}`] = {
      bytes: Buffer.byteLength(text),
      inputs: Object.assign({}, ...moduleIds.map((id) => outputs[id].inputs)),
      imports: [...asEsbuild(imports, 'import-statement'), ...asEsbuild(dynamicImports, 'dynamic-import')],
    };
  }
  return { files, metafile: { outputs: told } };
}

/** What each chunk loads with itself, and what at first use. */
function chunksOf(outputs) {
  return new Map(
    Object.entries(outputs).map(([name, { bytes, imports }]) => {
      const own = imports.filter(({ external }) => !external);
      const isLater = ({ kind }) => kind === 'dynamic-import';
      const [loaded, later] = [own.filter((one) => !isLater(one)), own.filter(isLater)];
      return [name, { bytes, loaded: loaded.map((one) => one.path), later: later.map((one) => one.path) }];
    }),
  );
}

/** Those that are loaded with `names`; with `isLater` also those that may be, at first use. */
function reachedFrom(names, chunks, isLater) {
  const reached = new Set(names);
  for (const name of reached) {
    const { loaded, later } = chunks.get(name);
    for (const one of isLater ? [...loaded, ...later] : loaded) reached.add(one);
  }
  return reached;
}

/** Gives every chunk the name of what it becomes, which several may share that are not alone. */
function groupsOf({ chunks, programs, entries, isAlone, extension, desk }) {
  const atStart = reachedFrom([extension], chunks, false);
  const atFirstUse = reachedFrom([desk], chunks, false).difference(atStart);
  // These never see the module `vscode`, so nothing that imports it may come with what they load.
  const ofPrograms = reachedFrom(
    programs.filter((name) => name !== extension),
    chunks,
    true,
  );
  const users = new Map([...chunks.keys()].map((name) => [name, new Set()]));
  for (const entry of entries) for (const name of reachedFrom([entry], chunks, false)) users.get(name).add(entry);

  const groups = new Set();
  const groupOf = new Map();
  for (const [name, { bytes }] of chunks) {
    const kind = isAlone(name) ? name : `${atStart.has(name)} ${atFirstUse.has(name)} ${ofPrograms.has(name)}`;
    const mostInVain = ofPrograms.has(name) ? inVain.programs : inVain.extension;
    const group = {
      names: [name],
      bytes,
      kind,
      users: users.get(name),
      isInAnyCase: atStart.has(name) || atFirstUse.has(name),
      mostInVain,
    };
    groups.add(group);
    groupOf.set(name, group);
  }
  const neededBy = ({ names }) => names.flatMap((name) => chunks.get(name).loaded).map((name) => groupOf.get(name));
  for (;;) {
    const [first, second] = cheapestPair([...groups], neededBy);
    if (!first) break;
    first.names.push(...second.names);
    first.bytes += second.bytes;
    first.users = first.users.union(second.users);
    for (const name of second.names) groupOf.set(name, first);
    groups.delete(second);
  }
  const nameOf = ({ names }, at) => (names.includes(extension) ? 'extension' : at.toString(36));
  return new Map([...groups].flatMap((group, at) => group.names.map((name) => [name, nameOf(group, at)])));
}

/** The two that may be merged at the least price: the bytes that are loaded in vain, summed over their users. */
function cheapestPair(groups, neededBy) {
  let [best, least] = [[], Infinity];
  for (const [at, first] of groups.entries())
    for (const second of groups.slice(at + 1)) {
      if (first.kind !== second.kind) continue;
      const ofFirst = first.users.difference(second.users).size;
      const ofSecond = second.users.difference(first.users).size;
      const isDear =
        (ofFirst > 0 && second.bytes > first.mostInVain) || (ofSecond > 0 && first.bytes > first.mostInVain);
      // What is loaded at the start, or with the features, is loaded in any case.
      if (isDear && !first.isInAnyCase) continue;
      const price = ofFirst * second.bytes + ofSecond * first.bytes;
      if (price >= least || isBetween(first, second, neededBy) || isBetween(second, first, neededBy)) continue;
      [best, least] = [[first, second], price];
    }
  return best;
}

/** Whether a third needs `to` and is needed by `from`: with those two as one, each would need the other, and none could be first. */
function isBetween(from, to, neededBy) {
  const reached = new Set(neededBy(from).filter((group) => group !== from && group !== to));
  for (const group of reached) {
    const needed = neededBy(group);
    if (needed.includes(to)) return true;
    for (const one of needed) if (one !== from) reached.add(one);
  }
  return false;
}
