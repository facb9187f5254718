import path from 'node:path';

/** Resolves the source files of Temml, whose package exports only its bundle. */
export const temmlSources = {
  name: 'temmlSources',
  setup({ onResolve }) {
    onResolve({ filter: /^temml\// }, ({ path: name }) => ({
      path: path.join(import.meta.dirname, '../../node_modules', name),
    }));
  },
};
