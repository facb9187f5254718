import type { CatalogueModel } from './model';

/** The known models of an account. */
export interface KnownModels {
  readonly models: readonly CatalogueModel[];
  /** Set if the service has more models than could be read. */
  readonly isPartial?: boolean | undefined;
  /** Models a user asks although the list lacks them. */
  readonly unlisted?: readonly string[] | undefined;
}

/**
 * Whether an account is known not to have a model. False if its list is unknown, empty, or truncated, because only the service can tell
 * then.
 */
export function lacksModel(id: string, { models, isPartial, unlisted = [] }: KnownModels): boolean {
  if (models.length === 0 || isPartial || unlisted.includes(id)) return false;
  // A fine-tuned model belongs to one person, and lists are the same for all.
  return !id.startsWith('ft:') && !models.some((model) => isNamed(model.id.toLowerCase(), id.toLowerCase()));
}

/** Whether a service that lists `listed` takes `name` for it, or for a way to run it. */
function isNamed(listed: string, name: string): boolean {
  if (listed === name) return true;
  // Gateways list the models of another service as `openai/*`.
  if (listed.endsWith('*')) return name.startsWith(listed.slice(0, -1));
  // Ollama takes a name without its tag for the latest, OpenRouter a suffix such as `:online` for a way to run the model.
  if (listed === `${name}:latest` || listed === name.replace(/:[^:/]+$/, '')) return true;
  // Anthropic lists the dated models only, and takes `claude-sonnet-4-0` or `…-latest` for the newest of them.
  const alias = name.replace(/-(?:latest|0)$/, '');
  return listed.startsWith(`${alias}-`) && /^-\d{8}$/.test(listed.slice(alias.length));
}
