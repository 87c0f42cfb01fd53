/** The API in words of OpenAPI 3.1, written from the same list and schemas that answer. */
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { API_VERSION } from './operation.ts';
import { operations } from './operations.ts';
import { Problem } from './schemas.ts';

const problem = (description: string) => ({ description, content: { 'application/json': { schema: Problem } } });

/** @param appUrl PUBLIC_APP_URL, for the address of the server */
export function describeApi(appUrl: string): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const { id, method = 'get', path, summary, scope, least, params, query, body, answer } of operations) {
    const address = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[address] = {
      ...paths[address],
      [method]: {
        operationId: id,
        summary,
        description: `Needs the scope \`${scope}\`${path.includes(':project') ? ` and the role ${least} in the team of the project` : ''}.`,
        security: [{ key: [] }],
        requestParams: { path: params, query },
        ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
        responses: {
          200: { description: 'The answer.', content: { 'application/json': { schema: answer } } },
          400: problem('Something in the request cannot be used; `field` says what.'),
          401: problem('No key, or one that has ended.'),
          403: problem('The key or its owner may not do this.'),
          404: problem('It does not exist, or not for this key: both are answered alike.'),
          429: problem('More than 240 requests in a minute; `Retry-After` says how long to wait.'),
          503: problem('The database is away for now.'),
          504: problem('It took too long. Ask for less.'),
        },
      },
    };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Luneta',
      version: API_VERSION,
      description:
        'Reading what was collected, and writing notes on the charts, with a personal key. Times are milliseconds since 1970 (UTC). Sending events needs no key: see `/ingest`.',
    },
    servers: [{ url: new URL(`/api/v${API_VERSION}`, appUrl).href }],
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal key, made on the screen *Your keys*: `lnk_…`.',
        },
      },
    },
    paths,
  });
}
