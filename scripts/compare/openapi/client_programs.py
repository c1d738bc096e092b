"""Programs that call the service through generated clients: ORIGIN DEPLOYMENT ORG. Each makes the same five calls."""

PYTHON = """
import json
import sys
from openapi_client import ApiClient, ApiException, Configuration, DatasetsApi, DiscoveryApi, SearchApi

origin, *deployment = sys.argv[1:]
with ApiClient(Configuration(host=origin)) as client:
    discovery = DiscoveryApi(client)
    info = DatasetsApi(client).datasets_group_info(*deployment, "weather", "main", "wind/speed")
    found = SearchApi(client).search_get(*deployment, units=["degC", "m/s"], limit=1)
    try:
        problem = str(discovery.discovery_refs(*deployment, "nowhere"))
    except ApiException as error:
        problem = error.data.code
    answers = {
        "repositories": discovery.discovery_repositories(*deployment),
        "branches": discovery.discovery_refs(*deployment, "weather").branches,
        "units": info.variables["wind_speed"].attributes["units"],
        "found": [found.total, len(found.results)],
        "problem": problem,
    }
print(json.dumps(answers))
"""

TYPESCRIPT = """
import { Configuration, DatasetsApi, DiscoveryApi, ResponseError, SearchApi } from './index'

declare const process: { argv: string[] }
const [, , basePath = '', deployment = '', org = ''] = process.argv
const configuration = new Configuration({ basePath })
const discovery = new DiscoveryApi(configuration)
const ofDeployment = { deployment, org }
const ofGroup = { ...ofDeployment, repo: 'weather', ref: 'main', group: 'wind/speed' }
const info = await new DatasetsApi(configuration).datasetsGroupInfo(ofGroup)
const found = await new SearchApi(configuration).searchGet({ ...ofDeployment, units: ['degC', 'm/s'], limit: 1 })
const problem: unknown = await discovery.discoveryRefs({ ...ofDeployment, repo: 'nowhere' }).catch(async (error) => {
  if (!(error instanceof ResponseError)) throw error
  return (await error.response.json()).code
})
const repositories: string[] = await discovery.discoveryRepositories(ofDeployment)
const { branches } = await discovery.discoveryRefs({ ...ofDeployment, repo: 'weather' })
const units: unknown = info.variables['wind_speed']?.attributes['units']
const counts: number[] = [found.total, found.results.length]
console.log(JSON.stringify({ repositories, branches, units, found: counts, problem }))
"""

GO = """
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	floe "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	origin, deployment, org := os.Args[1], os.Args[2], os.Args[3]
	configuration := floe.NewConfiguration()
	configuration.Servers = floe.ServerConfigurations{{URL: origin}}
	client := floe.NewAPIClient(configuration)
	ctx := context.Background()
	repositories, _, err := client.DiscoveryAPI.DiscoveryRepositories(ctx, deployment, org).Execute()
	check(err)
	refs, _, err := client.DiscoveryAPI.DiscoveryRefs(ctx, deployment, org, "weather").Execute()
	check(err)
	info, _, err := client.DatasetsAPI.DatasetsGroupInfo(ctx, deployment, org, "weather", "main", "wind/speed").Execute()
	check(err)
	search := client.SearchAPI.SearchGet(ctx, deployment, org).Units([]string{"degC", "m/s"}).Limit(1)
	found, _, err := search.Execute()
	check(err)
	_, _, err = client.DiscoveryAPI.DiscoveryRefs(ctx, deployment, org, "nowhere").Execute()
	problem := err.(*floe.GenericOpenAPIError).Model().(floe.Problem)
	variable := info.GetVariables()["wind_speed"]
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"repositories": repositories,
		"branches":     refs.Branches,
		"units":        variable.Attributes["units"],
		"found":        []int{int(found.Total), len(found.Results)},
		"problem":      problem.Code,
	}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
"""
