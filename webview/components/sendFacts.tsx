import './sendPage.css';

export interface SendFactsProps {
  /** Class of the screen, which sets the width and position of the facts. */
  readonly class: string;
  readonly label?: string;
  readonly facts: readonly {
    readonly label: string;
    readonly value: string;
    readonly title?: string;
    readonly note?: string;
  }[];
}

/** Facts about what is sent. */
export function SendFacts({ class: name, label, facts }: SendFactsProps) {
  return (
    <dl class={`send-facts ${name}`} aria-label={label}>
      {facts.map((fact) => (
        <div class="send-fact" key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>
            <bdi title={fact.title}>{fact.value}</bdi>
            {fact.note && <span class="send-fact-note">{fact.note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
