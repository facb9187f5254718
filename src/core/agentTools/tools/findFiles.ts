import '../../../schema/jitless';
import * as z from 'zod/mini';
import { areUsableGlobs } from '../../search/searchGlobs';
import { longestGlob, mostWildcards } from '../../workspace/globs';
import { agentTool } from '../agentTool';
import { scoreText } from '../../ranking/scoreText';
import { cut, joinParts, scoreDecimals } from '../answerText';

const longestPart = 1600;
const unusableGlob = `A glob has more than ${longestGlob} letters or ${mostWildcards} wildcards. Use shorter ones, parted by commas.`;

export const findFilesTool = agentTool({
  name: 'inferenceDesk_findFiles',
  title: 'Find Files by Meaning',
  description:
    'Finds the places in the files of the workspace that answer a question, by meaning and not only by words, and returns paths with line numbers, scores and the text of each place. Use it when you know what code or text does but not what it is called, or where a search for words finds nothing or too much. Files that Git ignores or that hold keys are not read.',
  input: z.strictObject({
    question: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(10_000),
        z.describe('What you look for, as a question or a description: "where an upload is tried again".'),
      ),
    include: z.optional(
      z
        .string()
        .check(
          z.maxLength(2000),
          z.refine(areUsableGlobs, unusableGlob),
          z.describe('Only files that fit these globs, parted by commas: "src/**, *.md".'),
        ),
    ),
    exclude: z.optional(
      z
        .string()
        .check(z.maxLength(2000), z.refine(areUsableGlobs, unusableGlob), z.describe('No files that fit these globs.')),
    ),
    limit: z.optional(
      z.int().check(z.minimum(1), z.maximum(50), z.describe('How many places to return. 8 where absent.')),
    ),
  }),
  readOnly: true,
  costs: 'little',
  async run({ question, include, exclude, limit = 8 }, host, signal) {
    const { places, scoredBy, files, notes } = await host.findPlaces({ question, include, exclude, limit }, signal);
    if (places.length === 0) {
      const hint = 'Ask in other words, or include other files.';
      return { text: [`Nothing was found in ${files} files.`, ...notes, hint].join(' '), data: { places: [], files } };
    }
    const head = [`${places.length} places in ${files} files, best first, scored by ${byWords[scoredBy]}.`, ...notes];
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
  embeddings: 'likeness of meaning',
  text: 'the words they share with the question',
} as const;
