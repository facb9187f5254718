import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { unguardedPlurals } from '../support/unguardedPlurals';

/**
 * Texts that count in the plural without a singular beside them. Their numbers are limits, sizes, or counts that are shown from two on;
 * those of tokens and characters are measures that can be 1 by chance. May only get shorter.
 */
const known: ReadonlySet<string> = new Set([
  'Check Model sends up to {1} requests with about {2} tokens to {0}, at regular prices.',
  "Check Model sends up to {1} requests with about {2} tokens to {0}. They're free on your own server.",
  'The maximum is {0} characters.',
  '{0} of {1} requests have a result. Missing: {2}.',
  '{0} tokens/s',
  '{0} characters of reasoning before the response',
  'Server: {0} tokens. Model: {1} tokens.',
  'Cost {0} for {1} images',
  'Cost {0} for {1} of {2} images',
  '{0} models, such as {1} and {2}. No key required.',
  'Remove {0} jobs from the list?',
  'Delete {0} files?',
  'Deleted {0} files.',
  'Saved {0} files to {1}.',
  'This agent request has about {0} tokens of instructions and tools. To send less, turn off tools.',
  '{0} more problems in this line.',
  'You can select up to {0} files.',
  'The recording is {0} minutes long. The limit is {1}. Split it.',
  'Only the first {0} matches are included.',
  'Select the part to rank. The limit is {0} characters.',
  'Ranking {0} documents takes {1} requests',
  'Documents over {0} tokens are truncated or rejected.',
  'The document has about {0} tokens and might be truncated or rejected.',
  'Ranked in {0} requests',
  'This sends about {0} tokens.',
  'Low confidence: {0} of {1} tokens',
  ' … {0} more characters … ',
  "You're charged for each of the {0} completions, up to {1} tokens in total.",
  '"{0}" can have up to {1} characters.',
  '"{0}" can have up to {1} items.',
  'These turns are sent as one message. The limit is {0} messages per request.',
  'Use up to {0} characters.',
  'Input: about {0} tokens, plus the responses',
  'Responses from {0} models',
  'Maximum length: {0} characters.',
  'Up to {0} models can be compared. {1} is ignored.',
  'Up to {0} requests and {1} each',
  'Select 2 to {0} models ({1} selected)',
  'For {0} minutes',
  'This line exceeds the limit of {0} requests. Split the file.',
  "The file exceeds the limit of {0} requests per batch, so it's submitted in parts.",
  'Its size is {0} bytes. Copy a shorter request.',
  'More than {0} characters. Select a part.',
  'The request has {0} messages. Some services accept only {1}. Start a new conversation, or set the message limit to {1}. {2}',
  'Generate {0} images in {1} requests?',
  'More than {0} hours might be rejected.',
  'Only the first {0} problems are included.',
  'Rank {0} documents in {1} requests?',
  'Text too long for {0}, which supports {1} tokens',
  'This custom_id is longer than {0} characters.',
  'Showing {1} of {0} problems. To list all, run "{2}".',
  'Showing {1} of {0} problems. The report lists all.',
  'The prompt is too long. The limit is {0} characters, including {1} for the front matter.',
  'Not sent. Needed: about {0} tokens. Used today: {1} of {2}. Wait until midnight, or change the limit.',
  'From {0} to {1} hours. Unfinished requests expire then.',
  '{0} tokens used today. Messages are blocked at {1}.',
  '{0} tokens used today. Warning level: {1}.',
  'With its values, the prompt has {0} characters. The limit is {1}.',
  "Your balance covers {0} tokens. Lower max_tokens, or add credit in the service's console.",
  'about {0} tokens',
  'responses up to {0} tokens',
  'documents are limited to {0} characters in total.',
  '{0} ({1} bytes)',
  '{0} bytes',
  '{0} characters',
  '{0} limits responses to {1} tokens',
  '{0} contains requests, not results.',
  '{0} hours',
  '{0} can have up to {1} characters.',
  '{0} can have up to {1} entries.',
  '{0} must have at least {1} characters.',
  '{0} must have at least {1} entries.',
  '{0} of {1} documents',
  '{0} of {1} files',
  '{0} of at least {1} files, without the most deeply nested ones:',
  '{0} of {1} files, without the most deeply nested ones:',
  '{0} of {1} lines',
  '{0} of {1} tokens',
  '{0} of {1} seconds',
  '{0} images in {1} requests.',
  'These settings need {0} requests (limit {1}). Use fewer variations.',
  '{0} tokens',
  'Defaults to {0} tokens for {1}',
  '{0} tokens in',
  '{0} tokens in total',
  '{0} tokens, {1} of them for the response',
  '{0} tokens in, {1} out',
  '{0} tokens out',
  '{0} tokens today',
  '{0} tokens/min',
  'Split {0} into {1} files: {2} to {3}.',
  '{0}, about {1} input tokens',
  '{0}: {1} characters, about {2} tokens (±25%). Click to preview.',
  '{0}: {1} of {2} documents',
  '… {0} more characters',
  '… {0} more characters. Copy the response to get all.',
  '… {0} more characters. To see all, go to the line.',
]);

describe('texts with a count', () => {
  const found = new Set(
    [...globSync('src/**/*.ts'), ...globSync('webview/**/*.{ts,tsx}')].flatMap((file) =>
      unguardedPlurals(file, readFileSync(file, 'utf8')),
    ),
  );

  it('have a singular if their number can be 1', () => {
    assert.deepEqual(
      [...found].filter((text) => !known.has(text)),
      [],
    );
  });

  it('are exempt only while they exist', () => {
    assert.deepEqual(
      [...known].filter((text) => !found.has(text)),
      [],
    );
  });

  it('are found if no condition separates one from several', () => {
    const bare = "const text = l10n.t('{0} models, answered in {1} ms.', count);";
    assert.deepEqual(unguardedPlurals('a.ts', bare), ['{0} models, answered in {1} ms.']);
    const right = "const text = count === 1 ? l10n.t('1 model') : l10n.t('{0} models', count);";
    assert.deepEqual(unguardedPlurals('a.ts', right), []);
  });
});
