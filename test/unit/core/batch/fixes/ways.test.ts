import { deepEqual, equal } from 'node:assert/strict';
import { choices } from './mending';

const frame = '"custom_id": "a", "method": "POST", "url": "/v1/chat/completions"';
const hello = '{"role": "user", "content": "hi"}';
const good = `{${frame}, "body": {"model": "m1", "messages": [${hello}]}}`;

/** Kind of problem, line, what can be chosen. */
const cases: readonly (readonly [string, string, readonly (readonly [string, string])[]])[] = [
  ['line.blank', ' ', [['Remove the blank line', '']]],
  [
    'custom-id.missing',
    good.replace('"custom_id": "a", ', ''),
    [['Add "custom_id": "request-1"', good.replace('"a"', '"request-1"')]],
  ],
  [
    'custom-id.empty',
    good.replace('"a"', '""'),
    [['Set "custom_id" to "request-1"', good.replace('"a"', '"request-1"')]],
  ],
  [
    'custom-id.not-string',
    good.replace('"a"', '12345678901234567890'),
    [['Set "custom_id" to "12345678901234567890"', good.replace('"a"', '"12345678901234567890"')]],
  ],
  ['method.missing', good.replace(' "method": "POST",', ''), [['Add "method": "POST"', good]]],
  [
    'url.missing',
    good.replace('"method": "POST", "url": "/v1/chat/completions", ', ''),
    [['Add the missing "method" and "url"', good]],
  ],
  ['method.not-post', good.replace('"POST"', '"GET"'), [['Set "method" to "POST"', good]]],
  ['url.unknown', good.replace('/v1/chat', 'chat'), [['Set "url" to "/v1/chat/completions"', good]]],
  ['model.missing', good.replace('"model": "m1", ', ''), []],
  [
    'model.unknown',
    good.replace('"m1"', '"Qwen/Qwen3-8"'),
    [
      ['Use the model "Qwen/Qwen3-8B"', good.replace('m1', 'Qwen/Qwen3-8B')],
      ['Use the model "Qwen/Qwen3-14B"', good.replace('m1', 'Qwen/Qwen3-14B')],
    ],
  ],
  [
    'line.unknown-member',
    good.replace('"method"', '"temperature": 0.50, "method"'),
    [
      ['Move "temperature" into the body', good.replace(']}', '], "temperature": 0.50}')],
      ['Remove "temperature"', good],
    ],
  ],
  ['line.unknown-member', good.replace('}]}}', '}]}, "metod": 1}'), [['Remove "metod"', good]]],
  [
    'line.duplicate-key',
    good.replace('"m1"', '"m1", "seed": 1, "seed": 2'),
    [['Remove the duplicate "seed"', good.replace('"m1"', '"m1", "seed": 2')]],
  ],
  ['stream.ignored', good.replace('"m1"', '"m1", "stream": true'), [['Remove "stream"', good]]],
  ['message.unknown-role', good.replace('"user"', '"Human"'), [['Replace "Human" with "user"', good]]],
  ['message.unknown-role', good.replace('"user"', '" User"'), [['Replace " User" with "user"', good]]],
  ['message.unknown-role', good.replace('"user"', '"nobody"'), []],
  ['message.no-content', good.replace('"content"', '"text"'), [['Rename "text" to "content"', good]]],
  [
    'message.not-object',
    good.replace(hello, '"hi"'),
    [['Convert to a user message', good.replace(hello, '{"role":"user","content":"hi"}')]],
  ],
  ['messages.not-array', good.replace(`[${hello}]`, hello), [['Convert to an array with one message', good]]],
  [
    'messages.missing',
    good.replace(`"messages": [${hello}]`, '"prompt": "hi"'),
    [['Convert "prompt" to a user message', good.replace(hello, '{"role":"user","content":"hi"}')]],
  ],
  [
    'body.not-object',
    `{${frame}, "body": ${JSON.stringify(`{"model": "m1",\n "messages": [${hello}]}`)}}`,
    [
      [
        'Convert the body to an object',
        `{${frame}, "body": {"model":"m1","messages":[{"role":"user","content":"hi"}]}}`,
      ],
    ],
  ],
  [
    'member.wrong-type',
    good.replace('"m1"', '"m1", "temperature": "0.70"'),
    [['Change to 0.70', good.replace('"m1"', '"m1", "temperature": 0.70')]],
  ],
  ['member.wrong-type', good.replace('"hi"', '7'), [['Change to "7"', good.replace('"hi"', '"7"')]]],
  ['member.wrong-type', good.replace('"m1"', '"m1", "temperature": "warm"'), []],
  ['parameter.out-of-bounds', good.replace('"m1"', '"m1", "temperature": 9'), []],
  ['line.not-json', `\ufeff${good}`, [['Remove the byte-order mark', good]]],
  ['line.not-json', `${good},`, [['Remove the trailing comma', good]]],
  ['line.not-json', good.replace('"}]', '",}]'), [['Remove the trailing comma', good]]],
  [
    'line.not-json',
    good.replace('"POST", ', '"POST" '),
    [['Add the missing comma', good.replace('"POST", ', '"POST", ')]],
  ],
  [
    'line.not-json',
    good.replace('"m1"', '"m1", "stream": False, "stop": None').replace('"hi"', `'it\\'s "hi"'`).replace('}]', '},]'),
    [
      [
        'Convert line to JSON',
        good.replace('"m1"', '"m1", "stream": false, "stop": null').replace('"hi"', `"it's \\"hi\\""`),
      ],
    ],
  ],
  ['line.not-json', `${good} // the first`, [['Convert line to JSON', `${good} `]]],
  [
    'line.not-json',
    good.replace('"m1"', '/* small */ "m1"'),
    [['Convert line to JSON', good.replace('"m1"', ' "m1"')]],
  ],
  [
    'body.unknown-member',
    good.replace('"m1"', '"m1", "temprature": 1'),
    [
      ['Rename "temprature" to "temperature"', good.replace('"m1"', '"m1", "temperature": 1')],
      ['Remove "temprature"', good],
    ],
  ],
  [
    'member.wrong-value',
    good.replace('"m1"', '"m1", "tool_choice": "Auto"'),
    [['Change to "auto"', good.replace('"m1"', '"m1", "tool_choice": "auto"')]],
  ],
  ['line.not-json', good.replace('hi', 'a\tb'), [['Escape control characters', good.replace('hi', 'a\\tb')]]],
  ['line.not-json', '"{""a"":""b, \\""c\\""""}"', [['Unwrap the CSV cell', '{"a":"b, \\"c\\""}']]],
  ['line.not-json', '3;"{""a"":1}";', [['Unwrap the CSV cell', '{"a":1}']]],
  ['line.not-json', '{"a":1}{"b":[2, 3]}', [['Split into one request per line', '{"a":1}\n{"b":[2,3]}']]],
  ['line.not-json', good.slice(0, -2), [['Close the JSON object', good]]],
  [
    'line.not-json',
    good.slice(0, good.indexOf('hi') + 1),
    [
      ['Close the JSON object and keep the truncated text', good.replace('"hi"', '"h"')],
      ['Remove the truncated property and close the JSON object', good.replace(', "content": "hi"', '')],
    ],
  ],
  ['line.not-json', '{"a":[1,2,{"b":tr', [['Remove the truncated property and close the JSON object', '{"a":[1,2]}']]],
  [
    'line.not-json',
    '{"a":"x\\\\\\ud83d\\ude',
    [['Close the JSON object and keep the truncated text', '{"a":"x\\\\"}']],
  ],
  ['line.not-json', '{"a":1,"b":12', [['Remove the truncated property and close the JSON object', '{"a":1}']]],
  ['line.not-json', '{"a":', []],
  ['line.not-json', 'nothing', []],
];

describe('A fix of a line', () => {
  for (const [code, text, requested] of cases) {
    it(`of ${code} changes only the problem: ${text.slice(0, 60)} … ${requested[0]?.[0] ?? 'not fixable'}`, () => {
      const found = choices(text, code);
      deepEqual(
        found,
        requested.map(([title, line]) => [title, line]),
      );
    });
  }

  it('chooses an unused ID for a duplicate', () => {
    const [[title, line] = []] = choices(good, 'custom-id.duplicate', [good, good.replace('"a"', '"a-2"')]);
    equal(title, 'Set "custom_id" to "a-3"');
    equal(line, good.replace('"a"', '"a-3"'));
  });

  it('uses the model of the other lines', () => {
    const without = good.replace('"a"', '"b"').replace('"model": "m1", ', '');
    deepEqual(choices(without, 'model.missing', [good]), [['Add "model": "m1"', good.replace('"a"', '"b"')]]);
    deepEqual(choices(good.replace('"a"', '"b"').replace('m1', 'm2'), 'model.mixed', [good])[0], [
      'Use the model "m1"',
      good.replace('"a"', '"b"'),
    ]);
  });
});
