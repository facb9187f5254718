import '../../../schema/jitless';
import * as z from 'zod/mini';
import { areUsableGlobs } from '../../search/searchGlobs';
import { longestGlob, mostWildcards } from '../../workspace/globs';
import { agentTool } from '../agentTool';
import { scoreText } from '../../ranking/scoreText';
import { cut, joinParts, scoreDecimals } from '../answerText';

const longestPart = 1600;
const unusableGlob = `A glob can have up to ${longestGlob} characters and ${mostWildcards} wildcards. Use shorter globs, separated by commas.`;

export const findFilesTool = agentTool({
  name: 'inferenceDesk_findFiles',
  title: 'Semantic Search in Files',
  description:
    'Finds passages in workspace files by meaning instead of exact words. Use it when you know what code or text does but not how it is named. Ignored files and files with keys are not searched.',
  input: z.strictObject({
    question: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(10_000),
        z.describe('A question or a description. For example: "where an upload is retried".'),
      ),
    include: z.optional(
      z
        .string()
        .check(
          z.maxLength(2000),
          z.refine(areUsableGlobs, unusableGlob),
          z.describe('Globs of files to search, separated by commas. For example: "src/**, *.md".'),
        ),
    ),
    exclude: z.optional(
      z
        .string()
        .check(
          z.maxLength(2000),
          z.refine(areUsableGlobs, unusableGlob),
          z.describe('Skip files that match these globs.'),
        ),
    ),
    limit: z.optional(
      z.int().check(z.minimum(1), z.maximum(50), z.describe('Maximum number of passages. Defaults to 8.')),
    ),
  }),
  readOnly: true,
  costs: 'little',
  async run({ question, include, exclude, limit = 8 }, host, signal) {
    const { places, scoredBy, files, notes } = await host.findPlaces({ question, include, exclude, limit }, signal);
    if (places.length === 0) {
      const hint = 'Rephrase the question, or include other files.';
      return { text: [`No matches in ${files} files.`, ...notes, hint].join(' '), data: { places: [], files } };
    }
    const head = [`${places.length} passages in ${files} files, best first, scored by ${byWords[scoredBy]}.`, ...notes];
    const parts = places.map(
      ({ path, startLine, endLine, score, text }) =>
        `${path}:${startLine}-${endLine} (${scoreText(score, 'en', scoreDecimals)})\n${cut(text, longestPart)}`,
    );
    const found = places.map(({ path, startLine, endLine, score }) => ({ path, startLine, endLine, score }));
    return { text: joinParts(head.join(' '), parts), data: { places: found, scoredBy, files } };
  },
});

const byWords = {
  rerank: 'a reranker',
  embeddings: 'semantic similarity',
  text: 'matching words',
} as const;
