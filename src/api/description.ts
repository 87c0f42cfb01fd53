/** The API in words of OpenAPI 3.1, written from the same list and schemas that answer. */
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { API_VERSION } from './operation.ts';
import { operations } from './operations.ts';
import { Problem } from './schemas.ts';

const problem = (description: string) => ({ description, content: { 'application/json': { schema: Problem } } });

/** @param appUrl PUBLIC_APP_URL, for the address of the server */
export function describeApi(appUrl: string): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const {
    id,
    method = 'get',
    path,
    summary,
    scope,
    alsoNeeds,
    minRole,
    params,
    query,
    body,
    file,
    answer,
    files = [],
  } of operations) {
    const address = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[address] = {
      ...paths[address],
      [method]: {
        operationId: id,
        summary,
        description: `Requires the scope \`${scope}\`${alsoNeeds ? ` and \`${alsoNeeds}\`` : ''}${path.includes(':project') ? ` and the role ${minRole} in the project’s team` : ''}.`,
        security: [{ key: [] }],
        requestParams: { path: params, query },
        ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
        ...(file && {
          requestBody: {
            required: true,
            description: file.description,
            content: { 'application/json': { schema: { type: 'object' as const } } },
          },
        }),
        responses: {
          200: {
            description: 'OK',
            content: {
              'application/json': { schema: answer },
              ...Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' as const } }])),
            },
          },
          400: problem('Invalid request. See `field`.'),
          401: problem('Missing, invalid or expired API key.'),
          403: problem('The API key or its owner lacks permission.'),
          404: problem('Not found, or not accessible with this API key.'),
          429: problem('Rate limit of 240 requests per minute exceeded. See `Retry-After`.'),
          503: problem('Database unavailable or busy.'),
          504: problem('Query timed out. Use a shorter range or fewer filters.'),
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
        'Read analytics data and write annotations with a personal API key. Times are Unix timestamps in milliseconds (UTC). Sending events requires no API key; see `/ingest`.',
    },
    servers: [{ url: new URL(`/api/v${API_VERSION}`, appUrl).href }],
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal API key (`lnk_…`), created under Account > API keys.',
        },
      },
    },
    paths,
  });
}
