import './sendPage.css';

export interface SendFactsProps {
  /** Of the screen: how wide its facts are and where they stand. */
  readonly class: string;
  readonly label?: string;
  readonly facts: readonly {
    readonly label: string;
    readonly value: string;
    readonly title?: string;
    readonly note?: string;
  }[];
}

/** What is known of what is sent. */
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
