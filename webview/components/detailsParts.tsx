export interface DetailsText {
  readonly label: string;
  readonly text: string;
  /** Localized note about omitted parts. */
  readonly cut?: string;
}

export interface DetailsPair {
  readonly name: string;
  readonly value: string;
}

export function Texts({ texts }: { readonly texts: readonly DetailsText[] }) {
  return (
    <>
      {texts.map(({ label, text, cut }, index) => (
        <section class="details-message" key={index}>
          {label && <h3 class="details-role">{label}</h3>}
          <p class="details-text" dir="auto">
            {text}
          </p>
          {cut && <p class="details-note">{cut}</p>}
        </section>
      ))}
    </>
  );
}

export interface MessagesProps {
  readonly messages: readonly DetailsText[];
  /** Localized note, set if messages are omitted. Shown after the first `shownFirst` ones. */
  readonly omitted: string | undefined;
  readonly shownFirst: number;
}

/** The messages of a request; if there are very many, only the first and last ones. */
export function Messages({ messages, omitted, shownFirst }: MessagesProps) {
  return (
    <>
      <Texts texts={messages.slice(0, shownFirst)} />
      {omitted !== undefined && <p class="details-note">{omitted}</p>}
      <Texts texts={messages.slice(shownFirst)} />
    </>
  );
}

/** A section of names and values. Renders nothing without values. */
export function Pairs({ title, pairs }: { readonly title: string; readonly pairs: readonly DetailsPair[] }) {
  if (pairs.length === 0) return null;
  return (
    <section class="details-message">
      <h3 class="details-role">{title}</h3>
      <PairList pairs={pairs} />
    </section>
  );
}

export function PairList({ pairs }: { readonly pairs: readonly DetailsPair[] }) {
  return (
    <dl class="details-parameters">
      {pairs.map(({ name, value }, index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
