import { retryInPython } from './programs';
import type { Question } from './question';

interface Known {
  readonly pattern: RegExp;
  readonly en: string;
  readonly zh: string;
  /** Added by the more verbose models. */
  readonly more?: readonly [en: string, zh: string];
}

/** What the demo can do, as a list. */
const abilities: readonly [en: string, zh: string] = [
  `- Explain terms of this product, such as *token*, *rate limit*, *batch*, *embedding*, and *reranker*.
- Tell you how to do something here, such as "How do I submit a batch?" or "How do I generate an image?"
- Count words, make tables, convert CSV to JSON, and rename a name in attached text.
- Write a small function in Python or TypeScript: merge sorted lists, retry, primes, or Fibonacci numbers.
- Call the tools you select: "Use *name of the tool* on …"`,
  `- 解释本产品的术语，例如 *Token*、*速率限制*、*批量任务*、*嵌入向量*和*重排序模型*。
- 告诉你如何使用本产品，例如“如何提交批量任务？”或“如何生成图片？”
- 对附加的文本统计字数、制作表格、把 CSV 转换为 JSON，或重命名。
- 用 Python 或 TypeScript 写一个小函数：合并有序列表、重试、质数或斐波那契数。
- 调用你选择的工具：“用 *工具名* 查 …”`,
];

const waiting = `\`\`\`python\n${retryInPython}\n\`\`\``;

/** Answers to questions that the chat suggests, that the samples ask, and that people ask first. */
const known: readonly Known[] = [
  {
    pattern:
      /rate limit.*(?:tokens? (?:per|a) minute|\bTPM\b)|\bTPM\b|tokens? (?:per|a) minute|每分钟.*(?:token|令牌)|token.*每分钟/i,
    en: `A rate limit in **tokens per minute (TPM)** caps the text that an account can exchange with a model in one minute. Input and output both count: your question, attachments, the conversation so far, and the answer.

**Example.** With a limit of 10,000 TPM and requests of 1,500 input and 500 output tokens, each request uses 2,000 tokens, so five requests fit into a minute.

**Above the limit**, the service responds with HTTP 429. Wait as long as the \`Retry-After\` header says, and then send the request again.

**To stay below the limit**, send less context, lower \`max_tokens\`, spread requests over time, or submit work that can wait as a batch.`,
    zh: `以**每分钟 Token 数（TPM）** 计的速率限制，规定一个账户在任意一分钟内与模型往来的文本总量。输入和输出都算：问题、附件、此前的对话，以及回答。

**举例**：限制为 10,000 TPM，每个请求输入 1,500、输出 500，共 2,000 个 Token，那么一分钟可以发 5 个请求。

**超出限制**时，服务返回 HTTP 429。按 \`Retry-After\` 响应头给出的时间等待，然后重新发送。

**如何避免**：缩短上下文、调低 \`max_tokens\`、把请求分散开，或把不急的工作作为批量任务提交。`,
    more: [
      'Most services also limit **requests per minute (RPM)**. The limit that you reach first applies.',
      '多数服务还限制**每分钟请求数（RPM）**，先达到哪个就按哪个算。',
    ],
  },
  {
    pattern: /\b(?:explain|what)\b.*\brate limit.*\b(?:step|list|table|example)|速率限制.*(?:步骤|列表|表格|示例)/i,
    en: `A **rate limit** caps how much you can send in a period of time.

1. You send a request. The service counts the request and its tokens.
2. The service compares the counts of the last minute with your limits.
3. Below the limits, the request is answered. Above a limit, it's rejected with HTTP 429.
4. You wait as long as \`Retry-After\` says, and then send the request again.

| Limit | Counts |
| --- | --- |
| RPM | Requests per minute |
| TPM | Tokens per minute, input and output |
| IPM | Images per minute |

A call in Python that waits longer after each rejection:

${waiting}`,
    zh: `**速率限制**规定一段时间内可以发送多少。

1. 发送请求，服务记下请求及其 Token 数。
2. 服务把最近一分钟的累计与限制比较。
3. 未超出时正常回答；超出任何一项时，返回 HTTP 429。
4. 按 \`Retry-After\` 等待，然后重新发送。

| 限制 | 计数 |
| --- | --- |
| RPM | 每分钟请求数 |
| TPM | 每分钟 Token 数，含输入和输出 |
| IPM | 每分钟图片数 |

用 Python 写，每次被拒后等待更久：

${waiting}`,
  },
  {
    pattern: /\breasons? (?:to|for) (?:write|writing|have) tests\b|写测试的.*理由/i,
    en: '1. Tests show a bug when it’s made, not after it’s shipped.\n2. You can change code and know what else breaks.\n3. A test is an example of what the code is for.\n4. Code that’s easy to test is usually easy to use.\n5. A fixed bug stays fixed.',
    zh: '1. 错误在产生时就暴露，而不是在发布后。\n2. 改代码时知道还有哪里会坏。\n3. 测试用例子说明代码的用途。\n4. 容易测试的代码通常也容易使用。\n5. 修好的错误不会再来。',
  },
  {
    pattern: /JSON ?L(?:ines)?\b.*\bCSV\b|\bCSV\b.*JSON ?L(?:ines)?\b/i,
    en: `| | JSON Lines | CSV |
| --- | --- | --- |
| Record | One JSON value per line | One row of cells |
| Nesting | Objects and arrays at any depth | None: flat rows only |
| Types | Text, numbers, true/false, null | Text only |
| Field names | In each record | Once, in the header |
| Missing field | No key, or \`null\` | Empty cell |
| Line break in a value | Written as \`\\n\` | Allowed in quotes, so a record can span lines |
| Size | Larger, because names repeat | Smaller |
| Opens in a spreadsheet | No | Yes |
| Good for | Logs, batch requests, nested data | Tables for people and spreadsheets |

Use **JSON Lines** for nested data and programs. Use **CSV** for one flat table.`,
    zh: `| | JSON Lines | CSV |
| --- | --- | --- |
| 一条记录 | 一行一个 JSON 值 | 一行单元格 |
| 嵌套 | 任意深度的对象和数组 | 不支持，只有平面表格 |
| 类型 | 文本、数字、布尔值、null | 只有文本 |
| 字段名 | 每条记录都写 | 只在表头写一次 |
| 缺失的字段 | 省略键或写 \`null\` | 空单元格 |
| 值中的换行 | 写作 \`\\n\` | 可放在引号内，一条记录可能跨行 |
| 体积 | 较大：字段名重复 | 较小 |
| 能否用电子表格打开 | 不能 | 能 |
| 适合 | 日志、批量请求、嵌套数据 | 给人看的表格 |

数据有嵌套、由程序读取时用 **JSON Lines**；数据只是一张平面表时用 **CSV**。`,
    more: [
      'You can split a JSON Lines file at any line break, so it’s easy to append to and to stream.',
      'JSON Lines 文件可以在任意换行处拆分，便于追加和流式读取。',
    ],
  },
  {
    pattern:
      /\bwho are you\b|\bwhat are you\b|\bare you (?:a |an )?(?:real|ai|model|human|bot|person|chatgpt|gpt|claude)\b|\b(?:what|which) (?:model|llm) (?:are|is) (?:you|this|it|that|answering|running)\b|\bwho (?:made|built|created|wrote|trained|owns) (?:you|this)\b|\b(?:which|what) model am i\b|\b(?:real|actual) model\b[^.?]*\b(?:behind|you|this|here)\b|\bscripted\b|你是谁|你是什么|你是.*(?:模型|GPT|Claude|机器人|真人).*吗|介绍[^。？]{0,3}你自己|\babout yourself\b|(?:哪个|什么)模型(?!最|好|快|便宜|适合|推荐)/i,
    en: 'This is the **demo service** of Inference Desk. It runs on this machine, costs nothing, and has no model: its answers come from rules and prepared texts, whichever model you choose.',
    zh: '这是 Inference Desk 的**演示服务**，在本机运行，不收费，也没有模型：无论选择哪个模型，回答都来自规则和准备好的文字。',
  },
  {
    pattern:
      /\bwhat(?:'s|’s| is)\b.*\bInference Desk\b|\b(?:explain|describe|about)\b.*\bInference Desk\b|Inference Desk ?是什么|介绍.*Inference Desk/i,
    en: 'Inference Desk brings an inference service into VS Code: chat, text completion, batch files, reranking, images, videos, speech, and voices. You use it with your own account or a local server, or try it with this demo service.',
    zh: 'Inference Desk 把推理服务带进 VS Code：聊天、文本补全、批量文件、重排序、图片、视频、语音和音色。可以使用自己的账户或本地服务器，也可以先用这个演示服务试试。',
  },
  {
    pattern:
      /\bhttp\b.*\b429\b|\b429\b.*\b(?:http|status|error|mean|response)\b|^\W*(?:what(?:'s|’s| is) )?(?:a )?429\W*$|429.*(?:什么|意思|错误)/i,
    en: 'HTTP **429 Too Many Requests** means that you sent more than the service allows in a period of time. Wait as long as its `Retry-After` header says, and then send the request again.',
    zh: 'HTTP **429 Too Many Requests** 表示一段时间内发送的请求超过了服务允许的数量。按 `Retry-After` 响应头给出的时间等待，然后重新发送。',
  },
  {
    pattern:
      /\bwhat can (?:you|it|this|the demo) (?:do|ask|try)\b|^\W*(?:so )?what can I (?:do|ask|try)\b|\bwhat (?:are|is) (?:you|this|it|the demo) (?:able|good) (?:to|for)\b|\bhow can you help\b|\bwhat (?:should|can|could) I (?:ask|try)\b|^\W*help(?: me)?[.!?\s]*$|^[?？\s]+$|你?(?:能|会|可以)(?:做|干)(?:什么|啥)|你能帮我(?:什么|做什么|干什么)|有(?:什么|哪些)功能|能问什么/i,
    en: `The demo service has no model. It can:\n\n${abilities[0]}`,
    zh: `演示服务没有模型。它可以：\n\n${abilities[1]}`,
  },
  {
    pattern:
      /\bis (?:anybody|anyone|someone) there\b|\bare you (?:there|online|working|alive|awake|running)\b|^\s*(?:test(?:ing)?|ping|测试)[.!?。！]*\s*$|在吗/i,
    en: 'Yes, the demo service is running.',
    zh: '在，演示服务正在运行。',
  },
  {
    pattern: /This line is valid\. Each of the other lines has one problem/i,
    en: 'Understood: this line is valid, and each of the other lines has one problem.',
    zh: '明白：这一行没有错误，下面每行各有一处错误。',
  },
  {
    pattern: /two sentences about rivers/i,
    en: 'A river carries water, sand, and stones from high ground to the sea and shapes its valley on the way. Towns grew along rivers because they gave people water to drink, soil to farm, and a road to travel on.',
    zh: '河流把水、沙和石头从高处带到大海，一路塑造河谷。城镇沿河而兴，因为河流提供饮水、沃土和通路。',
  },
  {
    pattern: /Your refund was sent today and takes three days to arrive/i,
    en: '« Votre remboursement a été envoyé aujourd’hui et mettra trois jours à arriver. »',
    zh: '« Votre remboursement a été envoyé aujourd’hui et mettra trois jours à arriver. »',
  },
  {
    pattern: /moved its warehouse in May/i,
    en: 'Since the shop moved its warehouse in May, orders take four days instead of two, and customers in the north are hit most because their parcels now pass through two depots.',
    zh: '商店五月搬迁仓库后，订单从两天变为四天，北部客户受影响最大，因为包裹要经过两个中转站。',
  },
];

/** Terms that people ask a new tool about. */
const glossary: readonly { readonly named: RegExp; readonly en: string; readonly zh: string }[] = [
  {
    named: /^\W*(?:what(?:'s|’s| is| are)|explain|define|什么是)? ?(?:an? |the )?APIs?(?: 是什么)?\W*$/i,
    en: 'An **API** (application programming interface) is the set of calls by which programs use a service. Inference services have an HTTP API: a request with a model and messages, and a response with the answer.',
    zh: '**API**（应用程序编程接口）是程序使用服务时所用的一组调用。推理服务提供 HTTP API：请求包含模型和消息，响应包含回答。',
  },
  {
    named: /\brecursion\b|递归/i,
    en: '**Recursion** is when a function calls itself on a smaller part of its problem, until a part is so small that it’s solved directly.',
    zh: '**递归**是函数对问题中更小的一部分调用自身，直到这部分小到可以直接求解。',
  },
  {
    named: /\bidempoten\w*|幂等/i,
    en: 'An **idempotent** request has the same effect whether it’s sent once or several times, so you can send it again after a failure. `GET`, `PUT`, and `DELETE` are meant to be idempotent. `POST` isn’t.',
    zh: '**幂等**的请求发送一次或多次效果相同，因此失败后可以重发。`GET`、`PUT` 和 `DELETE` 应当幂等，`POST` 则不是。',
  },
  {
    named: /\bclosures?\b|闭包/i,
    en: 'A **closure** is a function together with the variables that were in scope where it was written. It keeps these variables alive after the surrounding function has returned.',
    zh: '**闭包**是函数连同它定义处可见的变量；外层返回之后，这些变量仍由它保留。',
  },
  {
    named: /\bSSE\b|server-sent|流式/i,
    en: '**Server-sent events (SSE)** are lines of text in an HTTP response that stays open: `event:` names the kind, `data:` carries the content, and an empty line ends the event.',
    zh: '**服务器发送事件（SSE）** 是持续打开的 HTTP 响应中的文本行：`event:` 是类型，`data:` 是内容，空行结束一个事件。',
  },
  {
    named: /\brate limit(?:s|ing)?\b|\b(?:requests|images) per minute\b|\b[RI]PM\b|限流|速率限制|每分钟(?:请求|图片)/i,
    en: 'A **rate limit** caps requests, tokens, or images per minute, hour, or day. After HTTP 429, wait as long as `Retry-After` says, or longer each time. Waiting doesn’t help with a daily limit.',
    zh: '**速率限制**约束每分钟、每小时或每天的请求、Token 或图片数。遇到 HTTP 429 时按 `Retry-After` 等待，或逐次延长。每天的限制等待无效。',
  },
  {
    named: /\brerank(?:er|ing)?\b|重排/i,
    en: 'A **reranker** reads the query together with each document and returns a relevance score. It’s slower than a vector search and puts a short list into a better order.',
    zh: '**重排序模型**把查询和每篇文档放在一起读，给出相关性分数。它比向量检索慢，但能把短名单排得更准。',
  },
  {
    named: /\bembeddings?\b|嵌入|向量/i,
    en: 'An **embedding** is a list of numbers that represents a text, so that texts with similar meanings are close together.',
    zh: '**嵌入向量**是表示一段文本的一串数字，意思相近的文本彼此靠近。',
  },
  {
    named: /\bprompt files?\b|提示词文件/i,
    en: 'A **prompt file** stores one prompt with its model, parameters, and variables, so you can run it again, share it, or turn it into a batch.',
    zh: '**提示词文件**保存一条提示词及其模型、参数和变量，可以重复运行、共享，或转换为批量任务。',
  },
  {
    named: /\bcustom_?ids?\b/i,
    en: 'A **custom_id** is a name that you give to a request of a batch file. Results come in any order, and each one repeats the `custom_id` of its request, so it must be unique in the file.',
    zh: '**custom_id** 是你为批量文件中的请求起的名字。结果的顺序不定，每条结果都带有所属请求的 `custom_id`，因此它在文件中必须唯一。',
  },
  {
    named: /\bbatch(?:es)?(?: (?:files?|requests?))?\b(?! normali[sz]| size)|批量|批处理/i,
    en: 'A **batch file** has one request per line. You submit it as a **batch**, which the service processes within a day or so, usually at half the price. The results come as a file, matched to the requests by `custom_id`.',
    zh: '**批量文件**每行一个请求（one request per line）。作为**批量任务**提交后，服务会在一天左右处理完，通常半价。结果也是文件，用 `custom_id` 与请求对应。',
  },
  {
    named: /\bJSON ?L(?:ines)?\b/i,
    en: '**JSON Lines** is text with one JSON value per line. You can append to it, split it at any line break, and read it without loading all of it.',
    zh: '**JSON Lines** 每行一个 JSON 值：可以追加，可以在换行处拆分，读取时不必全部载入。',
  },
  {
    named: /\btokens?\b|分词/i,
    en: 'A **token** is the piece of text that a model reads and writes at once: about four letters in English, or one to two Chinese characters.',
    zh: '**Token** 是模型一次读写的文本片段：约四个英文字母，或一到两个汉字。',
  },
  {
    named: /\btemperature\b|温度/i,
    en: '**Temperature** widens or narrows the choice of the next token. Near 0, the most likely token wins. Above 1, unlikely tokens become common.',
    zh: '**温度**决定下一个 Token 的选择范围：接近 0 时总取最可能的，超过 1 时不太可能的也常出现。',
  },
  {
    named: /\bcontext (?:window|length)\b|上下文/i,
    en: 'The **context window** is the number of tokens that a model can read and write in one request, including attachments, the conversation, and the answer.',
    zh: '**上下文窗口**是模型在一次请求中能读写的 Token 数，包括附件、对话和回答。',
  },
  {
    named: /\btop[_-]?p\b|nucleus/i,
    en: '**top_p** limits the choice of the next token to the most likely ones whose probabilities add up to this value. At 1, all tokens can be chosen.',
    zh: '**top_p** 把下一个 Token 的选择限制在最可能的若干个，它们的概率之和达到该值。为 1 时不限制。',
  },
  {
    named: /\bsystem prompt\b|系统提示词/i,
    en: 'A **system prompt** is text that precedes the conversation and tells the model how to behave. Set it under **Parameters**.',
    zh: '**系统提示词**是对话之前的一段文字，告诉模型如何回答。在**参数**中设置。',
  },
  {
    named: /\bRAG\b|retrieval[- ]augmented|检索增强/i,
    en: '**RAG** (retrieval-augmented generation) searches documents for passages that match a question and sends them to the model with the question. Embeddings find the passages, and a reranker puts the best ones first.',
    zh: '**RAG**（检索增强生成）先在文档中找出与问题相关的段落，再连同问题发送给模型。嵌入向量用于查找，重排序模型把最相关的排在前面。',
  },
  {
    named: /\bgraders?\b|评分器/i,
    en: 'A **grader** decides whether an answer of an eval passes: a rule, such as "contains this text" or "is valid JSON", or another model that judges by your criteria.',
    zh: '**评分器**判断评测中的回答是否通过：可以是规则，例如“包含这段文字”或“是有效的 JSON”，也可以是按你的标准打分的另一个模型。',
  },
  {
    named: /\bevals?\b|\bevaluations?\b|评测/i,
    en: 'An **eval** sends the same rows to several prompts or models and grades each answer by rules or by another model, so you can tell whether a change is better.',
    zh: '**评测**把同样的数据行发送给多条提示词或多个模型，并按规则或由另一个模型评分，从而判断改动是否更好。',
  },
  {
    named: /\bLLMs?\b|large language models?|大(?:语言)?模型/i,
    en: 'An **LLM** (large language model) predicts the next token of a text, again and again. That’s how it answers questions, writes code, and calls tools.',
    zh: '**大语言模型（LLM）** 反复预测文本的下一个 Token，由此回答问题、编写代码和调用工具。',
  },
  {
    named: /\b(?:tool|function)[ -]call(?:s|ing)?\b|工具调用|函数调用/i,
    en: 'In a **tool call**, the model asks the program to run a tool with certain arguments. The program runs it, sends back the result, and the model continues.',
    zh: '**工具调用**是模型请求程序用某些参数运行一个工具。程序运行后把结果发回，模型再继续回答。',
  },
  {
    named: /\bMCP\b|model context protocol/i,
    en: '**MCP** (Model Context Protocol) is a standard for programs that offer tools and data to models. A client starts such a server and lets the model call its tools.',
    zh: '**MCP**（模型上下文协议）是程序向模型提供工具和数据的标准。客户端启动 MCP 服务器，让模型调用其中的工具。',
  },
];

const asksMeaning =
  /\bwhat(?:'s|’s| is| are| does)\b|\bexplain\b|\bdefine\b|\bmean(?:s|ing)?\b|\btell me about\b|\bhow (?:do|does|is|are)\b.*\bwork|^\W*(?:a |an |the )?[\w -]{2,24}\?*$|什么是|是什么|解释|含义|什么意思|介绍/i;

/** What is asked about, such as "a vector database", and the words that don't make another thing of a term. */
const asked =
  /^\W*what(?:'s|’s| is| are) (?:an? |the )?([\w -]{2,40})\W*$|^\W*什么是(.{2,12}?)[?？。]*$|^\W*(.{2,12}?)是什么[?？。]*$/i;
const sameThing =
  /^[\s'’-]*(?:(?:models?|files?|requests?|vectors?|calls?|limits?|servers?|prompts?|endpoints?|api|for|here|exactly|an?|the|in|of|and|s)\b[\s'’-]*)*$|^\s*(?:模型|文件|任务|请求|调用|限制|服务器|模式|窗口|长度|参数|接口|的|个|一)*\s*$/i;

/** Whether the question asks about another thing whose name contains the term. */
function isPartOfTerm(ask: string, named: RegExp): boolean {
  const [, ...terms] = asked.exec(ask.trim()) ?? [];
  const term = terms.find((one) => one !== undefined);
  return term !== undefined && !sameThing.test(term.replaceAll(new RegExp(named, 'gi'), ' '));
}

/** Explains terms of the field; `undefined` for any other question. */
export function answerTerm({ ask, material, say }: Question): string | undefined {
  if (material !== '' || ask.length > 120 || !asksMeaning.test(ask)) return undefined;
  const found = glossary.filter(({ named }) => named.test(ask) && !isPartOfTerm(ask, named)).slice(0, 3);
  return found.length === 0 ? undefined : found.map(({ en, zh }) => say(en, zh)).join('\n\n');
}

/** Explains both terms that a question tells apart; `undefined` for any other question, and if one isn't known. */
export function answerDifference({ ask, material, say }: Question): string | undefined {
  if (material !== '' || !/\bdifference\b|\bdiffer\b|\bvs\.?(?=\s)|区别|不同|差别/i.test(ask)) return undefined;
  const found = glossary.filter(({ named }) => named.test(ask));
  return found.length === 2 ? found.map(({ en, zh }) => say(en, zh)).join('\n\n') : undefined;
}

/** Answers questions and terms that have a prepared answer. */
export function answerKnown(question: Question): string | undefined {
  const { ask, material, say, voice } = question;
  const found = known.find(({ pattern }) => pattern.test(`${ask}\n${material.slice(0, 400)}`));
  if (found === undefined) return undefined;
  const more = found.more === undefined || voice % 2 === 1 ? [] : [say(...found.more)];
  return [say(found.en, found.zh), ...more].join('\n\n');
}

const greets =
  /^\s*(?:hi|hello|hey|good (?:morning|evening|afternoon)|你好|您好|嗨|早上好|晚上好)[\s,!.，。！]*(?:there|all|everyone|again|大家)?[\s,!.。！]*(?:how are you(?: doing)?|what['’]s up)?[\s!.?。！]*$/i;
const thanks =
  /^\s*(?:thanks?|thank you|thx|谢谢|多谢)[\s,!.，。！]*(?:a lot|so much|very much|you|大家)?[\s,!.，。！]*(?:that (?:helped|helps|works)|it works)?[\s!.。！]*$/i;

const agrees = /^\s*(?:ok(?:ay)?|yes|no|cool|great|nice|good|got it|好的?|嗯|可以|明白了?|知道了)[\s!.。！]*$/i;

/** Answers a greeting, with the list of abilities at the start of a conversation only. */
export function answerGreeting({ ask, material, earlier, say }: Question): string | undefined {
  if (material !== '') return undefined;
  if (thanks.test(ask)) return say('You’re welcome!', '不客气！');
  if (agrees.test(ask)) return say('OK. Ask the next question at any time.', '好的，可以继续提问。');
  if (!greets.test(ask)) return undefined;
  return earlier.length > 0
    ? say('Hello again!', '你好！')
    : say(
        `Hello! This is the demo service, which answers without a model. It can:\n\n${abilities[0]}`,
        `你好！这是演示服务，没有模型也能回答。它可以：\n\n${abilities[1]}`,
      );
}
