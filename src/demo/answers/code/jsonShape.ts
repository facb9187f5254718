import { isRecord } from '../../validate';
import type { Question } from '../question';
import { parseJson } from '../tables';
import { jsonNotValid } from './json';
import { type Source, fenced } from './source';

const pascal = (key: string): string =>
  key.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A key of records, its values, and whether every record has it. */
type Field = readonly [key: string, values: readonly unknown[], isAlways: boolean];

const fieldsOf = (records: readonly Record<string, unknown>[]): readonly Field[] =>
  [...new Set(records.flatMap((record) => Object.keys(record)))].map((key) => {
    const having = records.filter((record) => key in record);
    return [key, having.map((record) => record[key]), having.length === records.length];
  });

/** Returns a TypeScript type that all the values have, with object types written inline. */
function typeText(values: readonly unknown[], indent: string): string {
  const records = values.filter(isRecord);
  const lists = values.filter((value): value is readonly unknown[] => Array.isArray(value));
  const plain = values.filter((value) => !isRecord(value) && !Array.isArray(value));
  const deeper = `${indent}  `;
  const fields = fieldsOf(records).map(
    ([key, found, isAlways]) =>
      `${deeper}${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}${isAlways ? '' : '?'}: ${typeText(found, deeper)};`,
  );
  const inner = lists.length === 0 ? '' : typeText(lists.flat(), indent);
  const kinds = [
    ...(records.length > 0 ? [`{\n${fields.join('\n')}\n${indent}}`] : []),
    ...(lists.length > 0 ? [inner.includes(' | ') && !inner.startsWith('{') ? `(${inner})[]` : `${inner}[]`] : []),
    ...new Set(plain.map((value) => (value === null ? 'null' : typeof value))),
  ];
  return kinds.length === 0 ? 'unknown' : kinds.join(' | ');
}

/** Answers with a TypeScript type for JSON data. */
export function jsonTypes(source: Source, question: Question): string {
  const value = parseJson(source.text);
  if (value === undefined) return jsonNotValid(source, question);
  const name = pascal(source.name.replace(/\.\w+$/, '')) || 'Data';
  const body = typeText([value], '');
  const declared =
    isRecord(value) && body.startsWith('{') ? `export interface ${name} ${body}` : `export type ${name} = ${body};`;
  return [
    question.say(
      'A TypeScript type of this data, from the values that are there:',
      '由现有的值得出的 TypeScript 类型：',
    ),
    fenced('typescript', declared),
  ].join('\n\n');
}

/** Answers with what can be tested about data: its shape. */
export const jsonTests = (source: Source, question: Question): string =>
  [
    question.say(
      'JSON is data, so there is nothing to run. What can be tested is its shape.',
      'JSON 是数据，没有可运行的内容；能测试的是它的结构。',
    ),
    jsonTypes(source, question),
  ].join('\n\n');
