module github.com/action-connector/action-connector-go

go 1.21
