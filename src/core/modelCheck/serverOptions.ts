/** A feature that one of a server's options enables. */
export type OptionNeed = 'tools' | 'reasoning' | 'context' | 'images';

interface ServerOptions {
  /** The program to restart, as people call it. */
  readonly program: string;
  option(this: void, need: OptionNeed, model: string, tokens: number | undefined): string | undefined;
}

type Parsers = readonly (readonly [model: RegExp, parser: string])[];

/** https://docs.vllm.ai/en/latest/features/tool_calling.html. The first match applies. */
const toolParsers: Parsers = [
  [/qwen3.*coder/i, 'qwen3_coder'],
  [/qwen|qwq|hermes/i, 'hermes'],
  [/gpt-?oss/i, 'openai'],
  [/llama-?4/i, 'llama4_pythonic'],
  [/llama/i, 'llama3_json'],
  [/mistral|ministral|devstral|magistral/i, 'mistral'],
  [/deepseek-v3\.[12]/i, 'deepseek_v31'],
  [/deepseek/i, 'deepseek_v3'],
  [/glm-?4\.[5-9]/i, 'glm45'],
  [/kimi-?k2/i, 'kimi_k2'],
  [/granite/i, 'granite'],
  [/minimax/i, 'minimax'],
];

/** https://docs.vllm.ai/en/latest/features/reasoning_outputs.html */
const reasoningParsers: Parsers = [
  [/qwen3/i, 'qwen3'],
  [/gpt-?oss/i, 'openai_gptoss'],
  [/deepseek-v3\.[12]/i, 'deepseek_v3'],
  [/deepseek|qwq/i, 'deepseek_r1'],
  [/glm-?4\.[5-9]/i, 'glm45'],
  [/kimi-?k2/i, 'kimi_k2'],
  [/granite/i, 'granite'],
  [/magistral|mistral/i, 'mistral'],
  [/hunyuan/i, 'hunyuan_a13b'],
  [/minimax/i, 'minimax_m2'],
];

const parserFor = (parsers: Parsers, model: string) =>
  parsers.find(([pattern]) => pattern.test(model))?.[1] ?? '<parser>';

/** By the IDs of known services. */
const servers: Readonly<Record<string, ServerOptions>> = {
  // https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
  llamaCpp: {
    program: 'llama-server',
    option: (need, _model, tokens) =>
      ({
        tools: '--jinja',
        reasoning: '--reasoning-format deepseek',
        context: tokens === undefined ? undefined : `--ctx-size ${tokens}`,
        images: '--mmproj <file>',
      })[need],
  },
  vllm: {
    program: 'vLLM',
    option: (need, model, tokens) =>
      ({
        tools: `--enable-auto-tool-choice --tool-call-parser ${parserFor(toolParsers, model)}`,
        reasoning: `--reasoning-parser ${parserFor(reasoningParsers, model)}`,
        context: tokens === undefined ? undefined : `--max-model-len ${tokens}`,
        images: undefined,
      })[need],
  },
  ollama: {
    program: 'Ollama',
    // Its options are variables of the environment.
    option: (need, _model, tokens) =>
      need === 'context' && tokens !== undefined ? `OLLAMA_CONTEXT_LENGTH=${tokens}` : undefined,
  },
};

/** Returns the option that turns something on at a server; `undefined` if the server is unknown or has none. */
export function serverOption(
  service: string | undefined,
  need: OptionNeed,
  model: string,
  tokens?: number,
): string | undefined {
  return service === undefined ? undefined : servers[service]?.option(need, model, tokens);
}

/** Returns the program to restart with other options. */
export function serverProgram(service: string | undefined): string | undefined {
  return service === undefined ? undefined : servers[service]?.program;
}
