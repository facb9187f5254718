// https://docs.siliconflow.com/en/api-reference/chat-completions/chat-completions
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** What a member of a request's body may hold. */
export interface BodyMember {
  readonly kinds: readonly JsonKind[];
  readonly integer?: true;
  readonly min?: number;
  readonly max?: number;
}

const number = (min?: number, max?: number): BodyMember => ({
  kinds: ['number', 'null'],
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});
const integer = (min?: number, max?: number): BodyMember => ({ ...number(min, max), integer: true });

/** The members of a body that are known. Others are the service's business: they pass. */
export const bodyMembers = {
  model: { kinds: ['string'] },
  messages: { kinds: ['array'] },
  max_tokens: integer(1),
  temperature: number(0, 2),
  top_p: number(0.1, 1),
  top_k: integer(0, 50),
  min_p: number(0, 1),
  frequency_penalty: number(-2, 2),
  presence_penalty: number(-2, 2),
  n: integer(1, 128),
  seed: integer(),
  stop: { kinds: ['string', 'array', 'null'] },
  stream: { kinds: ['boolean', 'null'] },
  response_format: { kinds: ['object', 'null'] },
  tools: { kinds: ['array', 'null'] },
  tool_choice: { kinds: ['string', 'object', 'null'] },
  enable_thinking: { kinds: ['boolean', 'null'] },
  thinking_budget: integer(1),
} as const satisfies Readonly<Record<string, BodyMember>>;

export type BodyMemberName = keyof typeof bodyMembers;

export function bodyMember(name: string): BodyMember | undefined {
  return Object.hasOwn(bodyMembers, name) ? bodyMembers[name as BodyMemberName] : undefined;
}

/** Whether a number is what a member takes. */
export function isWithin(value: number, { integer: whole, min, max }: BodyMember): boolean {
  if (whole && !Number.isInteger(value)) return false;
  return (min === undefined || value >= min) && (max === undefined || value <= max);
}
